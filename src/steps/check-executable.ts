import { join } from "node:path/posix";
import { isErrno } from "../base/errors.ts";
import type { Files } from "../host/host.ts";
import { checkExecutable as check, type Look } from "../manifest/checks/executable.ts";
import { defineStep } from "../pipeline/step.ts";
import { refuse } from "./refuse.ts";

/** The program that the manifest names is a file inside the folder. */
export const checkExecutable = defineStep({
  name: "check-executable",
  summary: "Refuse a program that is not a file inside the folder.",
  needs: ["document", "plugin", "source"],
  gives: ["executableFound"],
  codes: ["PLUGIN_MANIFEST_INVALID", "PLUGIN_EXECUTABLE_UNTRUSTED"],
  async run({ document, plugin, source }, { host }) {
    refuse(await check(plugin, document, lookInside(host.files, source.path), []));
    return { executableFound: true };
  },
});

/** What a relative path of the folder leads to, links followed. */
function lookInside(files: Files, folder: string): Look {
  return async (relative) => {
    try {
      const root = await files.realpath(folder);
      const real = await files.realpath(join(root, relative));
      if (!real.startsWith(join(root, "/"))) return "escapes";
      const { kind } = await files.stat(real);
      return kind === "file" || kind === "folder" ? kind : "absent";
    } catch (error) {
      if (isErrno(error, "ENOENT", "ENOTDIR", "ELOOP", "EACCES", "ENAMETOOLONG")) return "absent";
      throw error;
    }
  };
}
