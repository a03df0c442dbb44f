// Keys of one profile, as PEM files below its configuration folder:
//   keys/<id>.key       own private keys (PKCS#8, 0600)     keys/<id>.pub   their public halves
//   trusted-keys/*.pem  keys whose signatures count         revoked-keys/*.pem   keys whose signatures never count again
import { basename, join } from "node:path/posix";
import { errnoWords } from "../base/errno-words.ts";
import { GumError, isErrno } from "../base/errors.ts";
import type { Files, Host } from "../host/host.ts";
import type { Trust } from "./judge.ts";
import { isKeyId, type PublicKey, parsePublicKey } from "./public-key.ts";

/** A file that holds a public key, or should. */
export interface KeyFile {
  /** The file's name without its ending. */
  readonly stem: string;
  readonly path: string;
  readonly key: PublicKey | { readonly fault: string };
}

export const maxKeyBytes = 65_536;

/** Where the keys of a profile lie. */
export function keyFolders(configDir: string) {
  return {
    own: join(configDir, "keys"),
    trusted: join(configDir, "trusted-keys"),
    revoked: join(configDir, "revoked-keys"),
  } as const;
}

/** The keys that the operator of a profile trusts and has revoked. */
export async function readTrust(host: Host, configDir: string): Promise<Trust> {
  const folders = keyFolders(configDir);
  const trusted = new Map<string, PublicKey>();
  for (const { stem, key } of await readKeyFiles(host.files, folders.trusted, ".pem")) {
    if ("fault" in key)
      host.log.warn(`the file trusted-keys/${stem}.pem ${key.fault}; nobody is trusted by it`);
    else trusted.set(stem, key);
  }
  return { trusted, ...(await readRevoked(host.files, folders.revoked)) };
}

async function readRevoked(files: Files, folder: string): Promise<Omit<Trust, "trusted">> {
  const revoked = new Map<string, PublicKey>();
  const revokedIds = new Set<string>();
  for (const { stem, key } of await readKeyFiles(files, folder, ".pem")) {
    revokedIds.add(stem);
    if (!("fault" in key)) {
      revoked.set(stem, key);
      revokedIds.add(key.id);
    } else if (!isKeyId(stem)) throw unknownRevocation(stem, key.fault);
  }
  return { revoked, revokedIds };
}

/** Whether a since revoked key has signed it; the folder of revoked keys is read only for what a key has signed. */
export async function isKeyRevoked(host: Host, configDir: string, { signature }: Signed): Promise<boolean> {
  if (signature.key_id === null) return false;
  const { revokedIds } = await readRevoked(host.files, keyFolders(configDir).revoked);
  return revokedIds.has(signature.key_id);
}

interface Signed {
  readonly signature: { readonly key_id: string | null };
}

/** Refuses what a since revoked key has signed; the revocation takes effect at the next use (R13). */
export async function refuseRevokedKey(
  host: Host,
  configDir: string,
  plugin: Signed & { readonly name: string },
): Promise<void> {
  if (!(await isKeyRevoked(host, configDir, plugin))) return;
  const { key_id } = plugin.signature;
  throw new GumError(
    "PLUGIN_SIGNATURE_INVALID",
    `The plugin "${plugin.name}" was signed by the key ${key_id}, which was revoked.`,
    {
      hint: `install a version that is signed by another key, or run \`gum plugin remove ${plugin.name}\``,
      details: { plugin: plugin.name, signature: "revoked", key_id },
    },
  );
}

/** Every file with this ending in a folder of keys, by name; an absent folder has none. */
export async function readKeyFiles(files: Files, folder: string, ending: string): Promise<KeyFile[]> {
  const names = (await keyFileNames(files, folder)).filter((name) => name.endsWith(ending));
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return { stem: basename(name, ending), path, key: await readKeyFile(files, path) };
    }),
  );
}

/** The public key in a file, or what is wrong with it as the end of a sentence. */
export async function readKeyFile(files: Files, path: string): Promise<KeyFile["key"]> {
  try {
    return parsePublicKey(await files.readText(path, { maxBytes: maxKeyBytes }));
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return { fault: "is not there" };
    if (isErrno(error, "EFBIG")) return { fault: "is too large to be a key" };
    if (isErrno(error, "EISDIR")) return { fault: "is a folder" };
    if (isErrno(error, "EACCES", "ELOOP")) return { fault: "cannot be read" };
    if (error instanceof TypeError) return { fault: "is not text" };
    throw error;
  }
}

/** A revocation that cannot be understood must not silently revoke nothing. */
function unknownRevocation(stem: string, fault: string): GumError {
  return new GumError("CONFIG_INVALID", `The file revoked-keys/${stem}.pem ${fault}.`, {
    hint: "put the revoked public key into it, or name the file by the key's id",
  });
}

async function keyFileNames(files: Files, folder: string): Promise<string[]> {
  try {
    return await files.list(folder);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return [];
    const why = errnoWords(error);
    if (why === undefined) throw error;
    // Which keys are trusted or revoked must be known: an unreadable folder is not an empty one.
    throw new GumError("CONFIG_INVALID", `The folder ${folder} cannot be read: ${why}.`, {
      hint: "check its permissions, and those of the folders above it",
      cause: error,
    });
  }
}
