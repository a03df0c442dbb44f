import type { Finding } from "../../base/errors.ts";
import type { ManifestDocument } from "../../model/document.ts";
import type { Plugin, Tool } from "../../model/plugin.ts";
import { rowsOf, textOrNull } from "../access.ts";
import { interfaceOf } from "../models/nested.ts";
import { show } from "../models/parts.ts";
import { Report, sortFindings } from "../report.ts";
import { modelFindings } from "../review.ts";

/** Each tool says how it is reached, in words that gum knows (M18, M19, M38). */
export function checkBindings(plugin: Plugin, document: ManifestDocument): Finding[] {
  if (document.dialect !== "nested") return [];
  const report = new Report(document);
  const rows = rowsOf(document.value.tools);
  for (const [index, tool] of plugin.tools.entries()) {
    reportKinds(report, plugin, tool, index);
    if (tool.backend_kind !== "grpc-plugin") continue;
    for (const selector of ["rpc_service", "rpc_method"]) {
      if (textOrNull(rows[index]?.[selector]) === null) {
        report.field(
          "PLUGIN_BINDING_INVALID",
          ["tools", index, selector],
          "is missing for the backend grpc-plugin",
        );
      }
    }
  }
  return sortFindings([...modelFindings(document, "bindings"), ...report.findings()]);
}

function reportKinds(report: Report, plugin: Plugin, tool: Tool, index: number): void {
  const { backend_kind: backend, interface_kind: via } = tool;
  const schemaOnly = tool.execution_support === "schema_only";
  if (!schemaOnly) reportPrivate(report, tool, index);
  if (isKnown(backend)) {
    if (backend !== plugin.shape && backend !== "grpc-plugin") {
      report.field(
        "PLUGIN_BINDING_INVALID",
        ["tools", index, "backend_kind"],
        `must equal the plugin's shape ${plugin.shape}, not ${show(backend)}`,
      );
    }
    const expected = interfaceOf[backend];
    if (via !== expected && interfaces.has(via)) {
      report.field(
        "PLUGIN_BINDING_INVALID",
        ["tools", index, "interface_kind"],
        `must be ${expected} for the backend ${backend}, not ${show(via)}`,
      );
    }
  }
}

/** Names with x- describe tools that gum only lists; it could not call them. */
function reportPrivate(report: Report, tool: Tool, index: number): void {
  const rule = 'may begin with x- only where execution_support is "schema_only"';
  if (tool.backend_kind.startsWith("x-")) {
    report.field("UNKNOWN_BACKEND_KIND", ["tools", index, "backend_kind"], rule);
  }
  if (tool.interface_kind.startsWith("x-")) {
    report.field("UNKNOWN_INTERFACE_KIND", ["tools", index, "interface_kind"], rule);
  }
  for (const [at, atom] of tool.capabilities.entries()) {
    if (atom.startsWith("x-")) report.field("UNKNOWN_CAPABILITY", ["tools", index, "capabilities", at], rule);
  }
}

const interfaces: ReadonlySet<string> = new Set(Object.values(interfaceOf));

function isKnown(kind: string): kind is keyof typeof interfaceOf {
  return Object.hasOwn(interfaceOf, kind);
}
