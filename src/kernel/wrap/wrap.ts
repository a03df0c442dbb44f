import { basename, dirname, join, resolve } from "node:path/posix";
import { GumError, isErrno } from "../../base/errors.ts";
import { packageLimitsOf } from "../../model/profile.ts";
import type { Description } from "../../model/session.ts";
import type { WrapAnswer } from "../answers-wrap.ts";
import { settleGrants } from "../grants.ts";
import type { Kernel } from "../kernel.ts";
import { validate } from "../validate.ts";
import { type BuiltFolder, buildFolder } from "./build-folder.ts";
import { findServer } from "./find-server.ts";
import { listServer, type ServerWishes } from "./list-server.ts";
import type { ServerPlan } from "./server-plan.ts";
import { namesFor, type PluginNames, wrappedManifest, wrappedTools } from "./wrapped-manifest.ts";

export interface WrapOptions extends ServerWishes {
  readonly out?: string | undefined;
  readonly id?: string | undefined;
  readonly owner?: string | undefined;
  /** Which of a package's programs is the server. */
  readonly bin?: string | undefined;
  /** Tools to declare when the server cannot be started here and now. */
  readonly tools: readonly string[];
}

/** Makes a plugin's folder of an existing MCP server: copied, started once in the sandbox, with a manifest (L9). */
export async function wrapServer(
  kernel: Kernel,
  words: readonly string[],
  options: WrapOptions,
): Promise<WrapAnswer> {
  const { host } = kernel;
  const grants = await settleGrants(kernel, options.grants);
  const wishes: ServerWishes = { ...options, grants };
  const plan = await findServer(host, words, options.bin);
  const names = namesFor(plan.facts, options);
  const out = resolve(host.machine.cwd, options.out ?? names.id);
  await refuseTaken(kernel, out);
  const draft = await madeFolder(kernel, `${out}.${host.randomHex(8)}.new`);
  try {
    const built = await buildFolder(host, plan, draft, packageLimitsOf(kernel.profile), kernel.signal);
    const { description, failure } = await listOrBelieve(
      kernel,
      draft,
      plan,
      names.id,
      options.tools,
      wishes,
    );
    if (description.tools.length === 0) throw toolless(names, description);
    const manifest = wrappedManifest(plan, names, description, wishes);
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    await host.files.writeNew(join(draft, "manifest.json"), text, { mode: 0o644 });
    await refuseInvalid(kernel, draft);
    await host.files.rename(draft, out);
    return answerOf({
      plan,
      names,
      out,
      built,
      description,
      failure,
      wishes,
      version: String(manifest.version),
    });
  } catch (error) {
    await host.files.removeTree(draft);
    throw error;
  }
}

/** The tools that the server lists; those that the user named when it cannot be started, with the reason. */
async function listOrBelieve(
  kernel: Kernel,
  draft: string,
  plan: ServerPlan,
  id: string,
  named: readonly string[],
  wishes: ServerWishes,
): Promise<{ readonly description: Description; readonly failure: GumError | undefined }> {
  try {
    return { description: await listServer(kernel, draft, plan, id, wishes), failure: undefined };
  } catch (error) {
    const isOwn = error instanceof GumError && ["SERVICE_DOWN", "PLUGIN_TIMEOUT"].includes(error.code);
    if (!isOwn || named.length === 0) throw error;
    const tools = named.map((name) => ({ name }));
    return {
      description: { server: undefined, protocolVersion: undefined, tools, rejected: [] },
      failure: error,
    };
  }
}

async function refuseTaken({ host }: Kernel, out: string): Promise<void> {
  if (!(await host.files.exists(out))) return;
  throw new GumError("USAGE", `The folder ${basename(out)} is already there, and wrap overwrites nothing.`, {
    hint: "name another one with --out",
  });
}

async function madeFolder({ host }: Kernel, path: string): Promise<string> {
  try {
    await host.files.mkdir(dirname(path), { mode: 0o755, recursive: true });
    await host.files.mkdir(path, { mode: 0o755 });
    return path;
  } catch (error) {
    if (!isErrno(error, "EACCES", "EPERM", "EROFS", "ENOSPC", "ENOTDIR", "EEXIST")) throw error;
    throw new GumError("USAGE", `Cannot write into the folder ${dirname(path)}.`, {
      hint: "name a place that you may write to with --out",
      cause: error,
    });
  }
}

function toolless({ id }: PluginNames, { rejected }: Description): GumError {
  const [first] = rejected;
  return new GumError("PLUGIN_TOOLS_MISMATCH", `The server "${id}" lists no tool that could be called.`, {
    hint: first === undefined ? "gum wraps servers for their tools" : `${first.name}: ${first.reason}`,
    details: { rejected },
  });
}

/** What was written must be what install accepts: a name or a text of the server may break a rule. */
async function refuseInvalid(kernel: Kernel, folder: string): Promise<void> {
  const { findings } = await validate({ ...kernel, onStep: undefined }, folder, { strict: false });
  const [first] = findings;
  if (first === undefined) return;
  throw new GumError(first.code, `The server cannot become a plugin: ${first.message}`, {
    hint: first.hint,
    details: { findings },
  });
}

function answerOf(made: {
  readonly plan: ServerPlan;
  readonly names: PluginNames;
  readonly out: string;
  readonly built: BuiltFolder;
  readonly description: Description;
  readonly failure: GumError | undefined;
  readonly wishes: ServerWishes;
  readonly version: string;
}): WrapAnswer {
  const { plan, names, out, built, description, failure, wishes, version } = made;
  const { read, write, shm } = wishes.grants;
  const flags = [
    ...read.map((path) => `--allow-read ${quoted(path)}`),
    ...write.map((path) => `--allow-write ${quoted(path)}`),
    ...(shm ? ["--allow-shm"] : []),
  ];
  return {
    ok: true,
    plugin: names.id,
    version,
    owner: names.owner,
    kind: plan.kind,
    folder: out,
    files: built.files,
    bytes: built.bytes,
    network: wishes.network,
    requests: { read, write, shm },
    tools: wrappedTools(description),
    left_out: description.rejected,
    started: failure === undefined,
    warnings: failure === undefined ? [] : [{ message: failure.message, hint: failure.info.hint }],
    install_command: ["gum plugin install", quoted(out), ...flags].join(" "),
  };
}

/** A word as a shell takes it. */
function quoted(word: string): string {
  return /^[\w./@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
