import { basename, relative, resolve } from "node:path/posix";
import { findingsError, GumError, isErrno, type Warning } from "../base/errors.ts";
import { checkLicense } from "../manifest/checks/license.ts";
import type { Plugin } from "../model/plugin.ts";
import { packageLimitsOf } from "../model/profile.ts";
import { type SourceEntry, surveyTree } from "../registry/survey.ts";
import { detachedText, parseDetached, readDetached, signatureFileOf } from "../trust/detached.ts";
import { type Ignores, ignoreFile, ignoreRules } from "../trust/ignore-rules.ts";
import { type SigningKey, signingKey } from "../trust/key-changes.ts";
import { signDigest } from "../trust/signature.ts";
import type { PackAnswer } from "./answers-trust.ts";
import type { Kernel } from "./kernel.ts";
import { given, run } from "./run.ts";
import { noGrants } from "./validate.ts";
import { writeArchive } from "./write-archive.ts";

export interface PackOptions {
  /** An own key by id or name, or a PEM file with a private key. */
  readonly sign?: string | undefined;
  readonly out?: string | undefined;
}

const maxIgnoreBytes = 1 << 20;
const endings = /\.(?:zip|tgz|tar\.gz)$/;

/** Makes an archive of a plugin's folder: valid, without what does not belong in it, the same bytes every time. */
export async function pack(kernel: Kernel, source: string, options: PackOptions): Promise<PackAnswer> {
  const { host, profile } = kernel;
  const root = await folderAt(kernel, source);
  // Whatever the profile demands of others, what is signed here is signed after it was packed.
  const unsigned = { ...kernel, profile: { ...profile, requireSignatures: false } };
  const { plugin, document, warnings } = await checked(unsigned, root);
  const key =
    options.sign === undefined ? undefined : await signingKey(host, profile.configDir, options.sign);
  const file = resolve(host.machine.cwd, options.out ?? archiveName(plugin));
  if (!endings.test(file)) {
    throw new GumError("USAGE", `The archive "${basename(file)}" must end in .tgz, .tar.gz or .zip.`);
  }
  const skip = await ignoresOf(kernel, root, file);
  const limits = packageLimitsOf(profile);
  const { entries } = await surveyTree(host, await host.files.realpath(root), limits, kernel.signal, skip);
  requireWhole(entries, plugin, document.file, skip);
  const written = await writeArchive(host, root, entries, file, kernel.signal);
  const digest = `sha256:${written.sha256}`;
  const signature = key === undefined ? null : await writeSignature(kernel, file, digest, key);
  const stale = signature === null ? await staleSignature(kernel, file, digest) : [];
  return {
    ok: true,
    file,
    ...written,
    entries: entries.length,
    plugin: plugin.id,
    version: plugin.version,
    signature,
    warnings: [...warnings, ...stale],
  };
}

/** Everything that install would check before it asks. */
async function checked(kernel: Kernel, path: string) {
  const flags = { yes: false, strict: false, devAllowNamespaceConflict: false, grants: noGrants };
  const input = { profile: kernel.profile, source: { kind: "folder", path }, flags } as const;
  const { state, record } = await run(kernel, "validate", input);
  return { plugin: given(state, "plugin"), document: given(state, "document"), warnings: record.warnings };
}

async function folderAt(kernel: Kernel, source: string): Promise<string> {
  const { files, machine } = kernel.host;
  const path = resolve(machine.cwd, source);
  try {
    if ((await files.stat(path)).kind === "folder") return path;
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ENOTDIR", "EACCES", "ELOOP")) throw error;
  }
  throw new GumError("PLUGIN_FETCH_FAILED", `${source} is not a folder that can be read.`);
}

function archiveName({ id, version }: Plugin): string {
  return `${id}-${version.replace(/[^A-Za-z0-9._+-]/g, "-")}.tgz`;
}

/** The rules of the folder's .gumignore; an archive that lies in the folder itself is left out, too. */
async function ignoresOf({ host }: Kernel, root: string, file: string): Promise<Ignores> {
  const path = resolve(root, ignoreFile);
  let text = "";
  try {
    text = await host.files.readText(path, { maxBytes: maxIgnoreBytes, noFollow: true });
  } catch (error) {
    if (!isErrno(error, "ENOENT")) {
      throw new GumError("USAGE", `The file ${ignoreFile} cannot be read as text.`, { cause: error });
    }
  }
  const rules = ignoreRules(text);
  const own = relative(root, file);
  return (candidate) => candidate === own || candidate === signatureFileOf(own) || rules(candidate);
}

/** A package needs a licence, and nothing that the manifest names may have been left out. */
function requireWhole(
  entries: readonly SourceEntry[],
  plugin: Plugin,
  manifest: string,
  skip: Ignores,
): void {
  const top = entries.map(({ path }) => path).filter((path) => !path.includes("/"));
  const [finding] = checkLicense(top, "archive");
  if (finding !== undefined) throw findingsError([finding]);
  const refs = plugin.tools.flatMap(({ schema_ref }) => (schema_ref === null ? [] : [schema_ref]));
  const needed = [
    manifest,
    plugin.command[0] ?? manifest,
    ...refs.map((ref) => `schemas/${ref}.json`),
    ...(plugin.tools.some(({ output_profile }) => output_profile !== null) ? ["profiles"] : []),
    ...(plugin.esm === null ? [] : ["dist"]),
  ];
  for (const path of needed) {
    const parts = path.split("/");
    const left = parts.map((_, index) => parts.slice(0, index + 1).join("/")).find(skip);
    if (left === undefined) continue;
    throw new GumError("USAGE", `${ignoreFile} leaves out "${left}", which the plugin needs.`, {
      at: { file: ignoreFile },
      hint: "remove the pattern that fits it",
    });
  }
}

async function writeSignature(
  { host }: Kernel,
  file: string,
  digest: string,
  key: SigningKey,
): Promise<NonNullable<PackAnswer["signature"]>> {
  const signature = signDigest(digest, key.key);
  const text = detachedText({ alg: "ed25519", keyId: key.id, signature, digest });
  await host.files.replace(signatureFileOf(file), text, { mode: 0o644, sync: true });
  return { file: signatureFileOf(file), key_id: key.id };
}

/** A signature of an earlier archive under the same name would make this one look forged. */
async function staleSignature({ host }: Kernel, file: string, digest: string): Promise<Warning[]> {
  const text = await readDetached(host.files, file);
  if (text === undefined || !("fault" in parseDetached(text, digest))) return [];
  const name = basename(signatureFileOf(file));
  return [{ message: `The file ${name} is no signature of this archive.`, hint: "sign again, or remove it" }];
}
