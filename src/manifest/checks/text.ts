import type { Finding } from "../../base/errors.ts";
import { isRecord } from "../../base/record.ts";
import type { DocumentPath, ManifestDocument } from "../../model/document.ts";
import type { Plugin } from "../../model/plugin.ts";
import { findUnsafe } from "../../model/safe-text.ts";
import { renderPath } from "../document.ts";
import { Report } from "../report.ts";

/** Arguments and expectations of the trial call go to the plugin alone; nobody reads them. */
const unread = new Set(["requirements.canary.args", "requirements.canary.expect"]);

/** No text of a manifest may hold characters that hide or move what a reader sees (T29). */
export function checkText(_plugin: Plugin, document: ManifestDocument): Finding[] {
  const report = new Report(document);
  visit(document.value, [], report);
  return report.findings();
}

function visit(value: unknown, path: DocumentPath, report: Report): void {
  if (typeof value === "string") {
    const unsafe = findUnsafe(value);
    if (unsafe !== undefined) {
      report.field(
        "PLUGIN_TEXT_UNSAFE",
        path,
        `holds the ${unsafe.kind} ${unsafe.name} at character ${unsafe.index + 1}`,
      );
    }
  } else if (Array.isArray(value)) {
    for (const [index, child] of value.entries()) visit(child, [...path, index], report);
  } else if (isRecord(value) && !unread.has(renderPath(path))) {
    for (const [key, child] of Object.entries(value)) {
      const unsafe = findUnsafe(key);
      // The key itself cannot be shown, so its parent is named.
      if (unsafe !== undefined)
        report.field("PLUGIN_TEXT_UNSAFE", path, `has a key with the ${unsafe.kind} ${unsafe.name}`);
      else visit(child, [...path, key], report);
    }
  }
}
