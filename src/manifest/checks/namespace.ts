import type { Finding } from "../../base/errors.ts";
import type { DocumentPath, ManifestDocument } from "../../model/document.ts";
import type { Plugin } from "../../model/plugin.ts";
import { isReservedName } from "../../model/reserved-names.ts";
import type { Table } from "../access.ts";
import { declaredOwner } from "../build/esm.ts";
import { ownerForm, show } from "../models/parts.ts";
import { Report, sortFindings } from "../report.ts";
import { modelFindings } from "../review.ts";

const code = "PLUGIN_NAMESPACE_CONFLICT";

/** An owner must be named, and the plugin's names must not be reserved (M8, M33, T3). */
export function checkNamespace(plugin: Plugin, document: ManifestDocument): Finding[] {
  const report = new Report(document);
  if (document.dialect === "esm") reportOwner(plugin, report);
  const idPath = idPathOf(document);
  if (isReservedName(plugin.id)) {
    report.field(code, idPath, `${show(plugin.id)} is reserved`, "choose another plugin id");
  }
  const prefixPath = document.dialect === "nested" ? ["tools", 0, "op_id"] : idPath;
  if (plugin.prefix !== plugin.id && isReservedName(plugin.prefix)) {
    report.field(
      code,
      prefixPath,
      `begins with the reserved prefix ${show(plugin.prefix)}`,
      "choose another prefix",
    );
  }
  return sortFindings([...modelFindings(document, "namespace"), ...report.findings()]);
}

/** Who owns an mcp-plugin.json: what it says, else `--owner`, else `npm:<name>` on dev profiles, else nobody. */
export function ownerOf(
  value: Table,
  options: { readonly dev: boolean; readonly owner?: string | undefined },
): string {
  const named = declaredOwner(value) ?? options.owner;
  if (named !== undefined) return named;
  return options.dev && typeof value.name === "string" ? `npm:${value.name}` : "";
}

function reportOwner(plugin: Plugin, report: Report): void {
  const hint = "add namespace_owner to mcp-plugin.json, or install with --owner";
  if (plugin.namespace_owner === "") report.field(code, ["namespace_owner"], "is missing", hint);
  else if (!ownerForm.test(plugin.namespace_owner)) {
    report.field(
      code,
      ["namespace_owner"],
      `must be a reverse-DNS name or a registry identity, not ${show(plugin.namespace_owner)}`,
    );
  }
}

function idPathOf({ dialect }: ManifestDocument): DocumentPath {
  if (dialect === "nested") return ["plugin", "name"];
  return dialect === "flat" ? ["plugin_id"] : ["name"];
}
