import type { Finding } from "../../base/errors.ts";
import type { DocumentPath, ManifestDocument } from "../../model/document.ts";
import type { Plugin } from "../../model/plugin.ts";
import { Report } from "../report.ts";

/** Warns of placeholders in arguments and literal variables that nobody expands (M42). */
export function placeholderWarnings(plugin: Plugin, document: ManifestDocument): Finding[] {
  const report = new Report(document);
  const look = (text: string, path: DocumentPath) => {
    for (const [written, name] of text.matchAll(/\$\{([^{}]*)\}/g)) {
      if (name === "data" || name === "root") continue;
      report.field(
        "PLUGIN_MANIFEST_INVALID",
        path,
        `holds ${written}, which stays as it is: only data and root are expanded`,
      );
    }
  };
  const nested = document.dialect === "nested";
  for (const [i, word] of plugin.command.entries()) {
    if (i > 0) look(word, nested ? ["plugin", "command", i] : ["args", i - 1]);
  }
  for (const [name, text] of Object.entries(plugin.env)) look(text, ["env", name]);
  return report.findings();
}
