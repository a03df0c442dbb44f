// Which program runs a script. It is found once, at install; afterwards nothing is looked up again (T9).
import { basename, dirname, isAbsolute } from "node:path/posix";
import { isErrno } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { Interpreter } from "../model/registry.ts";
import { askInterpreter } from "./ask-interpreter.ts";
import { liesWithin } from "./sensitive.ts";
import { readShebang, refused, refuseShell, shebangBytes } from "./shebang.ts";

export interface FoundInterpreter extends Interpreter {
  /** Interpreter, its own arguments, script. */
  readonly argv: readonly string[];
}

export interface ResolveOptions {
  readonly pathVariable: string;
  /** Where a plugin could have put it, or could change it: gum's folders and the plugin's own. */
  readonly untrusted: readonly string[];
}

/** Folders in which everybody may put a program. */
const shared = ["/tmp", "/var/tmp", "/dev/shm"];

/** The interpreter of a script, undefined for a file that is none; refuses shells and what cannot be resolved. */
export async function resolveInterpreter(
  host: Host,
  script: string,
  options: ResolveOptions,
): Promise<FoundInterpreter | undefined> {
  const shebang = readShebang(await headOf(host, script));
  if (shebang === undefined) return undefined;
  const named = shebang.interpreter;
  const candidate = "path" in named ? named.path : await lookUp(host, named.name, options.pathVariable);
  await refuseUntrusted(host, candidate, options.untrusted);
  const facts = await inspectInterpreter(host, candidate);
  await refuseUntrusted(host, facts.path, options.untrusted);
  return { ...facts, argv: [facts.path, ...shebang.args, script] };
}

/** Path, version and digest of an interpreter, seen through shims: what they lead to is recorded, not they. */
export async function inspectInterpreter(host: Host, candidate: string): Promise<Interpreter> {
  refuseShell(await realPath(host, candidate));
  const said = await askInterpreter(host, candidate);
  const path = said?.path ?? candidate;
  if (!isAbsolute(path)) throw refused(`the interpreter '${basename(candidate)}' does not know its own path`);
  const real = await realPath(host, path);
  refuseShell(real);
  if (!isProgram(await headOf(host, real))) {
    throw refused(`the interpreter '${basename(candidate)}' is itself a script`);
  }
  return { path, version: said?.version ?? "unknown", sha256: await digestOf(host, real) };
}

/** Judges the path as it is named and as it is: a link may lie in the one place and lead to the other. */
async function refuseUntrusted(host: Host, path: string, untrusted: readonly string[]): Promise<void> {
  const real = async (one: string) => ((await host.files.exists(one)) ? host.files.realpath(one) : one);
  const home = await real(host.machine.home);
  const named = `${await real(dirname(path))}/${basename(path)}`;
  const folders = [...untrusted, ...(await Promise.all(untrusted.map(real)))];
  for (const one of [path, named, await realPath(host, path)]) {
    // A home may lie anywhere, and what is in it is the user's own.
    const own = liesWithin(one, home) || liesWithin(one, host.machine.home);
    const folder = [...folders, ...(own ? [] : shared)].find((inner) => liesWithin(one, inner));
    if (folder === undefined) continue;
    throw refused(
      `its interpreter '${path}' lies in '${folder}', where a plugin could have put it`,
      "name an interpreter of the system, or one in a folder of your own",
    );
  }
}

async function lookUp(host: Host, name: string, pathVariable: string): Promise<string> {
  for (const folder of pathVariable.split(":").filter(isAbsolute)) {
    const path = `${folder.replace(/\/+$/, "")}/${name}`;
    if (await isExecutable(host, path)) return path;
  }
  throw refused(`no program called '${name}' is on the PATH`);
}

async function isExecutable(host: Host, path: string): Promise<boolean> {
  try {
    const facts = await host.files.stat(path);
    return facts.kind === "file" && (facts.mode & 0o111) !== 0;
  } catch (error) {
    // A PATH often names folders that are not there or belong to somebody else.
    if (isErrno(error, "ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG")) return false;
    throw error;
  }
}

async function realPath(host: Host, path: string): Promise<string> {
  if (await host.files.exists(path)) return host.files.realpath(path);
  throw refused(`the interpreter '${path}' does not exist`);
}

async function headOf(host: Host, path: string): Promise<Uint8Array> {
  const file = await host.files.open(path, "read");
  try {
    const head = new Uint8Array(shebangBytes);
    return head.subarray(0, await file.read(head, 0));
  } finally {
    await file.close();
  }
}

async function digestOf(host: Host, path: string): Promise<string> {
  const file = await host.files.open(path, "read");
  try {
    return await file.sha256();
  } finally {
    await file.close();
  }
}

/** ELF, or Mach-O on macOS. */
function isProgram(head: Uint8Array): boolean {
  const magic = head.length < 4 ? 0 : new DataView(head.buffer, head.byteOffset, 4).getUint32(0, false);
  return [0x7f454c46, 0xcffaedfe, 0xcafebabe, 0xcafebabf].includes(magic);
}
