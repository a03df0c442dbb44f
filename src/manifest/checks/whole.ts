// Rules that no single field can show: uniqueness, agreement between fields, paths (M10, M11, M14, M20, M23, C14).
import { didYouMean } from "../../base/suggest.ts";
import type { DocumentPath, ManifestDocument } from "../../model/document.ts";
import type { Plugin } from "../../model/plugin.ts";
import { rowsOf, type Table, tableOf, textOf, textsOf } from "../access.ts";
import { opPrefix } from "../build/nested.ts";
import { isPackageSource } from "../models/nested.ts";
import { show } from "../models/parts.ts";
import type { Report } from "../report.ts";
import { commandWords, reportProgram } from "./program.ts";

const invalid = "PLUGIN_MANIFEST_INVALID";

/** What only the whole of a flat manifest shows. */
export function reportFlat(plugin: Plugin, document: ManifestDocument, report: Report): void {
  const { value } = document;
  if (typeof value.executable === "string") reportProgram(report, ["executable"], value.executable);
  const rows = rowsOf(value.advertised_tools);
  reportTwins(
    report,
    rows.map((row) => textOf(row.name).toLowerCase()),
    (i) => ["advertised_tools", i, "name"],
  );
  rows.forEach((row, i) => {
    reportConfirmation(report, ["advertised_tools", i, "confirmation_policy"], row);
    reportPrefixed(report, ["advertised_tools", i, "name"], textOf(row.name));
  });
  reportWritePath(report, ["declared_capabilities", "fs_write_dir"], plugin.fs_write_dir);
  reportShapeFields(report, plugin, value.handshake, value.capabilities, ["capabilities"]);
  reportCanary(report, plugin, rows);
}

/** What only the whole of a nested manifest shows. */
export function reportNested(plugin: Plugin, document: ManifestDocument, report: Report): void {
  const { value } = document;
  const table = tableOf(value.plugin);
  reportCommand(report, table.command);
  const rows = rowsOf(value.tools);
  reportTwins(
    report,
    rows.map((row) => textOf(row.variant_id)),
    (i) => ["tools", i, "variant_id"],
  );
  rows.forEach((row, i) => {
    reportConfirmation(report, ["tools", i, "confirmation_policy"], row);
    const opId = textOf(row.op_id);
    if (opId !== "" && opPrefix(opId) !== plugin.prefix) {
      report.field(
        invalid,
        ["tools", i, "op_id"],
        `must begin with ${show(`${plugin.prefix}.`)} like the first tool's, not ${show(opId)}`,
      );
    }
  });
  reportPackage(report, plugin);
  reportWritePath(report, ["requirements", "fs_write_dir"], plugin.fs_write_dir);
  reportShapeFields(report, plugin, value.handshake, table.capabilities, ["plugin", "capabilities"]);
  reportCanary(report, plugin, rows);
}

/** What only the whole of an mcp-plugin.json shows. */
export function reportEsm(plugin: Plugin, document: ManifestDocument, report: Report): void {
  const { entry } = document.value;
  if (typeof entry !== "string") return;
  const before = report.findings().length;
  reportProgram(report, ["entry"], entry);
  const faulty = report.findings().length > before;
  if (!faulty && plugin.esm?.manifest_version === "2" && !/^dist\/.+\.m?js$/.test(entry)) {
    report.field(invalid, ["entry"], `must be a .js or .mjs file below dist/, not ${show(entry)}`);
  }
  const { files } = tableOf(tableOf(document.value.dist).checksums);
  reportTwins(
    report,
    rowsOf(files).map((row) => textOf(row.path)),
    (i) => ["dist", "checksums", "files", i, "path"],
  );
}

function reportCommand(report: Report, command: unknown): void {
  const isList = Array.isArray(command);
  // Whatever is neither text nor a list of texts is reported by the model.
  if (typeof (isList ? command[0] : command) !== "string") return;
  const path = isList ? ["plugin", "command", 0] : ["plugin", "command"];
  if (typeof command === "string" && /["'\\]/.test(command)) {
    report.field(invalid, path, "must be a list of words where quotes or backslashes are needed");
    return;
  }
  reportProgram(report, path, commandWords(command)[0] ?? "");
}

function reportTwins(
  report: Report,
  names: readonly string[],
  pathOf: (index: number) => DocumentPath,
): void {
  const first = new Map<string, number>();
  names.forEach((name, index) => {
    const earlier = first.get(name);
    if (earlier === undefined) first.set(name, index);
    else if (name !== "")
      report.field(invalid, pathOf(index), `is the same as that of entry ${earlier}: ${show(name)}`);
  });
}

/** gum adds the prefix itself; a tool that brings one could pass for another plugin's (M11). */
function reportPrefixed(report: Report, path: DocumentPath, name: string): void {
  if (!/^plug\./i.test(name)) return;
  report.field(invalid, path, `must stand without the prefix plug., which gum adds itself: ${show(name)}`);
}

function reportConfirmation(
  report: Report,
  path: DocumentPath,
  row: Readonly<Record<string, unknown>>,
): void {
  if (row.confirmation_policy !== "high_stakes_write" || row.risk_class === "write") return;
  report.field(
    invalid,
    path,
    `can be high_stakes_write only where risk_class is write, not ${show(row.risk_class)}`,
  );
}

function reportWritePath(report: Report, path: DocumentPath, folder: string): void {
  const escapes =
    /^[/~\\]|^[A-Za-z]:/.test(folder) || folder.split(/[/\\]/).includes("..") || folder.includes("\0");
  if (escapes || folder.includes("\\")) {
    report.field("PLUGIN_FS_WRITE_OUTSIDE_SANDBOX", path, `leaves the plugin's data folder: ${show(folder)}`);
  }
}

function reportShapeFields(
  report: Report,
  plugin: Plugin,
  handshake: unknown,
  capabilities: unknown,
  path: DocumentPath,
): void {
  if (plugin.shape === "handshake-plugin") {
    reportTwins(report, textsOf(capabilities), (i) => [...path, i]);
    return;
  }
  if (handshake !== undefined) report.key(invalid, ["handshake"], "is only for the shape handshake-plugin");
  if (capabilities !== undefined) report.key(invalid, path, "is only for the shape handshake-plugin");
}

function reportCanary(report: Report, plugin: Plugin, rows: readonly Table[]): void {
  if (plugin.canary === null || plugin.canary.tool === "" || rows.length === 0) return;
  const { tool: name } = plugin.canary;
  const path = ["requirements", "canary", "tool"];
  const index = plugin.tools.findIndex((known) => known.name === name);
  const risk = rows[index]?.risk_class;
  const names = plugin.tools.map((known) => known.name);
  if (index < 0) {
    // A tool without a name is reported by itself, and may be the one that is meant (M18).
    if (names.includes("")) return;
    const near = didYouMean(name, names);
    report.field(invalid, path, `must be a tool of this plugin, not ${show(name)}${near}`);
  } else if (risk === "write" || risk === "destructive") {
    report.field(invalid, path, `must be a read tool, but ${name} is ${risk}`);
  }
}

function reportPackage(report: Report, plugin: Plugin): void {
  const { source, ref, checksum } = plugin.package;
  // An unknown source is reported by the model.
  if (source === "local" || !isPackageSource(source)) return;
  if (ref === "") report.field(invalid, ["package", "ref"], `must not be empty when the source is ${source}`);
  if (checksum === "")
    report.field(invalid, ["package", "checksum"], `must not be empty when the source is ${source}`);
}
