import type { DocumentPath, ManifestDocument } from "../../model/document.ts";
import { isTable } from "../access.ts";
import type { Report } from "../report.ts";

/** Reports every `service_root_template`, at any depth (M26). */
export function reportDeferred(document: ManifestDocument, report: Report): void {
  visit(document.value, [], report);
}

function visit(value: unknown, path: DocumentPath, report: Report): void {
  if (Array.isArray(value)) {
    for (const [index, child] of value.entries()) visit(child, [...path, index], report);
  } else if (isTable(value)) {
    for (const [key, child] of Object.entries(value)) {
      const here = [...path, key];
      if (key === "service_root_template") {
        report.key("SERVICE_ROOT_TEMPLATE_DEFERRED", here, "is reserved for a later version of gum");
      }
      visit(child, here, report);
    }
  }
}
