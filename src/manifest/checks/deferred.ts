import { isRecord } from "../../base/record.ts";
import type { DocumentPath, ManifestDocument } from "../../model/document.ts";
import type { Report } from "../report.ts";

/** Whether the last key is one that is reserved for later, whatever stands there. */
export function isDeferred(path: DocumentPath): boolean {
  return path.at(-1) === "service_root_template";
}

/** Reports every `service_root_template`, at any depth (M26). */
export function reportDeferred(document: ManifestDocument, report: Report): void {
  visit(document.value, [], report);
}

function visit(value: unknown, path: DocumentPath, report: Report): void {
  if (Array.isArray(value)) {
    for (const [index, child] of value.entries()) visit(child, [...path, index], report);
  } else if (isRecord(value)) {
    for (const [key, child] of Object.entries(value)) {
      const here = [...path, key];
      if (isDeferred(here)) {
        report.key("SERVICE_ROOT_TEMPLATE_DEFERRED", here, "is reserved for a later version of gum");
      }
      visit(child, here, report);
    }
  }
}
