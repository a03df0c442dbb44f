import { posix } from "node:path";
import type { Finding } from "../../base/errors.ts";
import type { DocumentPath, ManifestDocument } from "../../model/document.ts";
import type { Plugin } from "../../model/plugin.ts";
import { show } from "../models/parts.ts";
import { Report } from "../report.ts";

/** What a relative path leads to in the plugin's folder, links followed. */
export type Look = (relative: string) => Promise<"file" | "folder" | "absent" | "escapes">;

const runners = new Set(["npx", "uvx", "pipx", "bunx", "pnpx", "yarn", "pnpm", "npm", "uv", "docker"]);

/** The program is a file inside the folder, or a script of the folder's pyproject.toml (M10, T10). */
export async function checkExecutable(
  plugin: Plugin,
  document: ManifestDocument,
  look: Look,
  scripts: readonly string[],
): Promise<Finding[]> {
  const report = new Report(document);
  const [program = ""] = plugin.command;
  const path = programPath(document);
  const isEntry = plugin.shape === "esm-plugin";
  switch (await look(posix.normalize(program))) {
    case "file":
      break;
    case "folder":
      report.field("PLUGIN_MANIFEST_INVALID", path, `must be a file, not the folder ${show(program)}`);
      break;
    case "escapes":
      report.field(
        "PLUGIN_EXECUTABLE_UNTRUSTED",
        path,
        `must not leave the plugin's folder by a link: ${show(program)}`,
      );
      break;
    case "absent":
      if (!isEntry && scripts.includes(program)) break;
      report.field(
        isEntry ? "PLUGIN_ENTRY_INVALID" : "PLUGIN_MANIFEST_INVALID",
        path,
        `is not a file in the plugin's folder: ${show(program)}`,
        absentHint(program, isEntry),
      );
  }
  return report.findings();
}

/** Whether the program is a script that has to be built first, instead of a file that is there. */
export async function isBuiltScript(
  plugin: Plugin,
  look: Look,
  scripts: readonly string[],
): Promise<boolean> {
  const [program = ""] = plugin.command;
  return scripts.includes(program) && (await look(posix.normalize(program))) === "absent";
}

function programPath({ dialect, value }: ManifestDocument): DocumentPath {
  if (dialect === "esm") return ["entry"];
  if (dialect === "flat") return ["executable"];
  const { plugin } = value;
  const isList =
    typeof plugin === "object" && plugin !== null && "command" in plugin && Array.isArray(plugin.command);
  return isList ? ["plugin", "command", 0] : ["plugin", "command"];
}

function absentHint(program: string, isEntry: boolean): string {
  if (isEntry) return "build the plugin first, so that its entry exists";
  if (runners.has(program))
    return "package managers never run at call time: put the program into the plugin's folder";
  return "add the file, or declare it in [project.scripts] of pyproject.toml";
}
