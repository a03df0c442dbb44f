import type { Finding } from "../../base/errors.ts";
import { didYouMean } from "../../base/suggest.ts";
import type { DocumentPath, ManifestDocument } from "../../model/document.ts";
import { rowsOf, tableOf } from "../access.ts";
import { show } from "../models/parts.ts";
import { Report } from "../report.ts";

const code = "PLUGIN_SHAPE_UNSUPPORTED";
const reserved = ["grpc-plugin", "grpc-subprocess"];
const flatShapes = ["mcp-plugin", "jsonl-plugin", "handshake-plugin"];
const nestedShapes = [...flatShapes, "mcp-subprocess"];

/** Only shapes that gum hosts for third parties pass, whatever else is wrong with the manifest (M9, M17). */
export function checkShape(document: ManifestDocument): Finding[] {
  const report = new Report(document);
  if (document.dialect === "esm") return [];
  const nested = document.dialect === "nested";
  const holder = nested ? tableOf(document.value.plugin) : document.value;
  const path = nested ? ["plugin", "shape"] : ["shape"];
  checkOne(report, path, holder.shape, nested ? nestedShapes : flatShapes, formHint(document));
  for (const list of ["tools", "advertised_tools"]) {
    rowsOf(document.value[list]).forEach((tool, index) => {
      if (tool.backend_kind === "grpc-plugin")
        refuseReserved(report, [list, index, "backend_kind"], "grpc-plugin");
    });
  }
  return report.findings();
}

/** What to say to an author who mixes the two forms. */
function formHint({ dialect, value }: ManifestDocument): string | undefined {
  if (dialect !== "nested" || !Object.hasOwn(value, "plugin_id")) return undefined;
  return "a manifest with a plugin table is nested, and its id is plugin.name: remove plugin_id, or [plugin]";
}

function checkOne(
  report: Report,
  path: DocumentPath,
  shape: unknown,
  allowed: readonly string[],
  hint: string | undefined,
): void {
  if (typeof shape !== "string") {
    report.field(code, path, shape === undefined ? "is missing" : `must be text, not ${show(shape)}`, hint);
  } else if (reserved.includes(shape)) {
    refuseReserved(report, path, shape);
  } else if (shape === "esm-plugin") {
    report.field(code, path, "cannot be esm-plugin here: ES-module plugins have an mcp-plugin.json");
  } else if (!allowed.includes(shape)) {
    const near = didYouMean(shape, allowed);
    report.field(
      code,
      path,
      `must be mcp-plugin, jsonl-plugin or handshake-plugin, not ${show(shape)}${near}`,
    );
  }
}

function refuseReserved(report: Report, path: DocumentPath, shape: string): void {
  report.field(
    code,
    path,
    `is ${shape}, which is reserved until v0.4.0`,
    "use the shape mcp-plugin, jsonl-plugin or handshake-plugin",
  );
}
