import { basename, join } from "node:path/posix";
import { GumError } from "../base/errors.ts";
import { defineStep } from "../pipeline/step.ts";
import { hashExecutable } from "../registry/executable.ts";
import { sealFileOf, writeSeal } from "../registry/seal.ts";
import { hashTree, treeDigest } from "../registry/tree.ts";
import { resolveInterpreter } from "../sandbox/interpreters.ts";

/** Binds the plugin to its bytes: executable, whole tree, and the interpreter that will run a script. */
export const hash = defineStep({
  name: "hash",
  summary: "SHA-256 of the executable and of the whole staged tree; find a script's interpreter.",
  needs: ["plugin", "staged"],
  gives: ["binding"],
  codes: ["PLUGIN_EXECUTABLE_UNTRUSTED", "PLUGIN_TREE_MODIFIED", "REGISTRY_IO"],
  async run({ plugin, staged }, { host, signal, note }) {
    const { installRoot, sourceSha256, entries } = staged;
    const [program = "", ...args] = plugin.command;
    const executablePath = join(installRoot, program);
    const tree = await hashTree(host, installRoot, { signal });
    if (tree.sha256 !== treeDigest(entries)) {
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
    const interpreter = await resolveInterpreter(host, executablePath, { pathVariable: host.env.PATH ?? "" });
    await writeSeal(host, sealFileOf(installRoot), tree);
    note(
      `sha256 ${executable.sha256.slice(0, 12)}${interpreter === undefined ? "" : `, run by ${interpreter.path}`}`,
    );
    return {
      binding: {
        installRoot,
        executablePath,
        executableSha256: executable.sha256,
        argv: [...(interpreter?.argv ?? [executablePath]), ...args],
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
