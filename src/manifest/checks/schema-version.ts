import type { Finding } from "../../base/errors.ts";
import { isRecord } from "../../base/record.ts";
import { nearest } from "../../base/suggest.ts";
import type { ManifestDocument } from "../../model/document.ts";
import { show } from "../models/parts.ts";
import { Report } from "../report.ts";

const code = "PLUGIN_MANIFEST_SCHEMA_UNSUPPORTED";

/** A manifest must name a schema version that gum knows, at its top level (M3). */
export function checkSchemaVersion(document: ManifestDocument): Finding[] {
  const report = new Report(document);
  if (document.dialect === "esm") checkEsm(document, report);
  else checkOwn(document, report);
  return report.findings();
}

const field = "manifest_schema_version";

function checkOwn(document: ManifestDocument, report: Report): void {
  const { value, dialect } = document;
  if (isRecord(value.plugin) && Object.hasOwn(value.plugin, "manifest_schema_version")) {
    report.key(
      code,
      ["plugin", "manifest_schema_version"],
      "must stand at the top level of the manifest",
      "move manifest_schema_version above [plugin]",
    );
  } else if (!Object.hasOwn(value, field)) {
    const meant = Object.keys(value).find((key) => nearest(key, [field]) !== undefined);
    if (meant === undefined) report.field(code, [field], "is missing", addHint(dialect));
    else report.key(code, [meant], `is not a field that gum knows: did you mean "${field}"?`);
  } else if (value[field] !== 1 || document.isFloat([field])) {
    const said = document.isFloat([field]) ? "a floating-point number" : show(value[field]);
    report.field(code, [field], `must be the integer 1, not ${said}`);
  }
}

function addHint(dialect: string): string {
  return dialect === "nested"
    ? "put manifest_schema_version = 1 above the first table"
    : "put manifest_schema_version: 1 at the top level of the manifest";
}

function checkEsm({ value }: ManifestDocument, report: Report): void {
  if (!Object.hasOwn(value, "manifestVersion") || value.manifestVersion === "2") return;
  report.field(
    code,
    ["manifestVersion"],
    `must be "2" or absent, not ${show(value.manifestVersion)}`,
    'set manifestVersion to "2", or remove it for a v1 manifest',
  );
}
