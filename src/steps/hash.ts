import { basename, join } from "node:path/posix";
import { GumError } from "../base/errors.ts";
import { defineStep } from "../pipeline/step.ts";
import { hashExecutable } from "../registry/executable.ts";
import { sealFileOf, writeSeal } from "../registry/seal.ts";
import { hashTree, treeDigest } from "../registry/tree.ts";
import { resolveInterpreter } from "../sandbox/interpreters.ts";
import { ownFolders } from "../sandbox/own-folders.ts";

/** Binds the plugin to its bytes: executable, whole tree, and the interpreter that will run a script. */
export const hash = defineStep({
  name: "hash",
  summary: "SHA-256 of the executable and of the whole staged tree; find a script's interpreter.",
  needs: ["plugin", "profile", "folder", "staged", "built"],
  gives: ["binding"],
  codes: ["PLUGIN_EXECUTABLE_UNTRUSTED", "PLUGIN_TREE_MODIFIED", "REGISTRY_IO"],
  async run({ plugin, profile, folder, staged, built }, { host, signal, note, progress }) {
    const { installRoot, sourceSha256 } = staged;
    const executablePath = join(installRoot, built.program);
    const onProgress = (done: number, total: number): void => progress("hashing", done, total);
    const tree = await hashTree(host, installRoot, { signal, onProgress });
    if (tree.sha256 !== treeDigest(built.entries)) {
      throw new GumError(
        "PLUGIN_TREE_MODIFIED",
        `The files of "${plugin.id}" changed while they were installed.`,
      );
    }
    const executable = await hashExecutable(host, {
      name: plugin.id,
      install_root: installRoot,
      executable_path: executablePath,
    });
    // An environment's python is not asked: it would run what the build left for it to run.
    const interpreter =
      built.python === null
        ? await resolveInterpreter(host, executablePath, {
            pathVariable: host.env.PATH ?? "",
            untrusted: [...ownFolders(profile), folder, installRoot],
          })
        : { ...built.python, argv: [built.python.path, executablePath] };
    await writeSeal(host, sealFileOf(installRoot), tree);
    note(
      `sha256 ${executable.sha256.slice(0, 12)}${interpreter === undefined ? "" : `, run by ${interpreter.path}`}`,
    );
    return {
      binding: {
        installRoot,
        executablePath,
        executableSha256: executable.sha256,
        argv: [...(interpreter?.argv ?? [executablePath]), ...plugin.command.slice(1)],
        interpreter:
          interpreter === undefined
            ? null
            : { path: interpreter.path, version: interpreter.version, sha256: interpreter.sha256 },
        sourceSha256,
        treeSha256: tree.sha256,
        fileCount: tree.fileCount,
        totalBytes: tree.totalBytes,
        seal: basename(sealFileOf(installRoot)),
      },
    };
  },
});
