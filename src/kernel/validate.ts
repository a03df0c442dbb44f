import { resolve } from "node:path/posix";
import { errorCodes } from "../base/error-codes.ts";
import { asGumError, type Finding, type GumError, type Warning } from "../base/errors.ts";
import type { InstallFlags, Source } from "../model/install.ts";
import { parseSource } from "../source/parse-source.ts";
import type { ValidateAnswer } from "./answers.ts";
import type { Kernel } from "./kernel.ts";
import { given, run } from "./run.ts";

export const noGrants: InstallFlags["grants"] = { read: [], write: [], shm: false, capabilities: [] };

/** Runs every check of install up to consent; starts nothing, writes nothing, and answers with all findings. */
export async function validate(
  kernel: Kernel,
  source: string,
  options: { readonly strict: boolean; readonly owner?: string | undefined },
): Promise<ValidateAnswer> {
  const flags: InstallFlags = {
    yes: false,
    strict: options.strict,
    owner: options.owner,
    devAllowNamespaceConflict: false,
    grants: noGrants,
  };
  const from = await sourceOf(kernel, source);
  const warnings: Warning[] = [];
  try {
    const input = { profile: kernel.profile, source: from, flags } as const;
    const { state } = await run(kernel, "validate", input, {
      onWarning: (warning) => warnings.push(warning),
    });
    const plugin = given(state, "plugin");
    return {
      ok: true,
      error_code: null,
      file: given(state, "document").file,
      plugin: { id: plugin.id, version: plugin.version, shape: plugin.shape },
      findings: [],
      warnings,
    };
  } catch (thrown) {
    const error = asGumError(thrown);
    if (!isRefusal(error)) throw error;
    return {
      ok: false,
      error_code: error.code,
      file: error.info.at?.file ?? null,
      plugin: null,
      findings: findingsOf(error),
      warnings,
    };
  }
}

/** A fault of the plugin, as opposed to one of the machine, the profile or the pipelines. */
function isRefusal({ code }: GumError): boolean {
  const { exit } = errorCodes[code];
  return (exit === "refused" || exit === "trust") && code !== "PLUGIN_FETCH_FAILED";
}

/** All findings of the class that stopped the run; a single refusal is one finding. */
function findingsOf({ code, message, info }: GumError): readonly Finding[] {
  const several = info.details?.findings;
  return Array.isArray(several) ? several : [{ code, message, at: info.at, hint: info.hint }];
}

/** `validate` takes what install takes, and also the manifest in a folder. */
async function sourceOf(kernel: Kernel, text: string): Promise<Source> {
  const { files, machine } = kernel.host;
  const path = resolve(machine.cwd, text);
  const isManifest = /\/(manifest\.json|manifest\.toml|mcp-plugin\.json)$/.test(path);
  if (isManifest && (await files.exists(path)) && (await files.stat(path)).kind === "file")
    return { kind: "folder", path: resolve(path, "..") };
  return parseSource(text, { cwd: machine.cwd });
}
