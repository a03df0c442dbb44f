import { join } from "node:path/posix";
import { isErrno } from "../base/errors.ts";
import type { Files } from "../host/host.ts";
import { checkExecutable as check, isBuiltScript, type Look } from "../manifest/checks/executable.ts";
import { maxManifestBytes } from "../manifest/read.ts";
import type { Plugin } from "../model/plugin.ts";
import { defineStep } from "../pipeline/step.ts";
import { projectFile, readProject } from "../source/pyproject.ts";
import { realInside } from "./folder-files.ts";
import { refuse } from "./refuse.ts";

/** The program that the manifest names is a file inside the folder, or a script that its project makes. */
export const checkExecutable = defineStep({
  name: "check-executable",
  summary: "Refuse a program that is neither a file inside the folder nor a script of its pyproject.toml.",
  needs: ["document", "plugin", "folder"],
  gives: ["executableFound"],
  codes: ["PLUGIN_MANIFEST_INVALID", "PLUGIN_EXECUTABLE_UNTRUSTED", "PLUGIN_ENTRY_INVALID"],
  async run({ document, plugin, folder }, { host, note }) {
    const look = lookInside(host.files, folder);
    const scripts = await scriptsOf(host.files, folder, plugin, look);
    refuse(await check(plugin, document, look, scripts));
    if (!(await isBuiltScript(plugin, look, scripts))) return { executableFound: "file" };
    note(`a script of ${projectFile}`);
    return { executableFound: "script" };
  },
});

/** Scripts of the folder's project; it is read only where the manifest names no file. */
async function scriptsOf(
  files: Files,
  folder: string,
  plugin: Plugin,
  look: Look,
): Promise<readonly string[]> {
  const [program = ""] = plugin.command;
  if (plugin.shape === "esm-plugin" || program.includes("/") || (await look(program)) !== "absent") return [];
  try {
    const text = await files.readText(join(folder, projectFile), {
      maxBytes: maxManifestBytes,
      noFollow: true,
    });
    return (await readProject(text)).scripts;
  } catch (error) {
    if (
      isErrno(error, "ENOENT", "ENOTDIR", "ELOOP", "EISDIR", "EFBIG", "EACCES") ||
      error instanceof TypeError
    )
      return [];
    throw error;
  }
}

/** What a relative path of the folder leads to, links followed. */
function lookInside(files: Files, folder: string): Look {
  return async (relative) => {
    try {
      const { kind } = await files.stat(await realInside(files, folder, join(folder, relative)));
      return kind === "file" || kind === "folder" ? kind : "absent";
    } catch (error) {
      if (isErrno(error, "EXDEV")) return "escapes";
      if (isErrno(error, "ENOENT", "ENOTDIR", "ELOOP", "EACCES", "ENAMETOOLONG")) return "absent";
      throw error;
    }
  };
}
