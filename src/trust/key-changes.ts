import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { join, resolve } from "node:path/posix";
import { GumError, isErrno } from "../base/errors.ts";
import { didYouMean } from "../base/suggest.ts";
import type { Files, Host } from "../host/host.ts";
import { type KeyFile, keyFolders, maxKeyBytes, readKeyFile, readKeyFiles, readTrust } from "./key-store.ts";
import { keyIdOf, namedPem, type PublicKey } from "./public-key.ts";

/** A private key that is ready to sign. */
export interface SigningKey {
  readonly id: string;
  readonly key: KeyObject;
}

const nameRule = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;
const privateKey = { folder: 0o700, file: 0o600 } as const;

/** Makes an Ed25519 key pair in the profile's own keys. Nobody trusts it yet. */
export async function generateKey(
  host: Host,
  configDir: string,
  name: string | null,
): Promise<{ readonly id: string; readonly privateFile: string; readonly publicFile: string }> {
  if (name !== null && !nameRule.test(name)) {
    throw new GumError("USAGE", `"${name.slice(0, 80)}" cannot be the name of a key.`, {
      hint: "use 1 to 64 letters, digits, dots, underscores, hyphens and @, the first a letter or digit",
    });
  }
  const pair = generateKeyPairSync("ed25519");
  const id = keyIdOf(pair.publicKey);
  const { own } = keyFolders(configDir);
  const [privateFile, publicFile] = [join(own, `${id}.key`), join(own, `${id}.pub`)];
  await keyIo(async () => {
    await host.files.mkdir(own, { mode: privateKey.folder, recursive: true });
    const secret = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    await host.files.writeNew(privateFile, secret, { mode: privateKey.file, sync: true });
    const open = pair.publicKey.export({ type: "spki", format: "pem" }).toString();
    await host.files.writeNew(publicFile, namedPem(open, name), { mode: privateKey.file, sync: true });
  });
  return { id, privateFile, publicFile };
}

/** Lets signatures of a key count: a PEM file, or an own key by id or name. False when it already does. */
export async function trustKey(
  host: Host,
  configDir: string,
  wanted: string,
): Promise<{ readonly key: PublicKey; readonly changed: boolean }> {
  const { trusted } = keyFolders(configDir);
  const key = await wantedKey(host, configDir, wanted);
  const trust = await readTrust(host, configDir);
  if (trust.revokedIds.has(key.id)) {
    throw new GumError(
      "POLICY_DENIED",
      `The key ${key.id} was revoked, and a revoked key is not trusted again.`,
      {
        hint: `have the maker use a new key; only deleting revoked-keys/${key.id}.pem by hand takes a revocation back`,
      },
    );
  }
  if ([...trust.trusted.values()].some(({ id }) => id === key.id)) return { key, changed: false };
  await keyIo(async () => {
    await host.files.mkdir(trusted, { mode: privateKey.folder, recursive: true });
    const text = namedPem(key.pem, key.name);
    await host.files.replace(join(trusted, `${key.id}.pem`), text, { mode: privateKey.file, sync: true });
  });
  return { key, changed: true };
}

/** Makes sure that a key never counts again: it moves from the trusted to the revoked ones. False when it already has. */
export async function revokeKey(
  host: Host,
  configDir: string,
  wanted: string,
): Promise<{ readonly key: PublicKey; readonly changed: boolean }> {
  const { trusted, revoked, own } = keyFolders(configDir);
  const trustedFiles = await readKeyFiles(host.files, trusted, ".pem");
  const others = [
    ...(await readKeyFiles(host.files, own, ".pub")),
    ...(await readKeyFiles(host.files, revoked, ".pem")),
  ];
  const key = keyOf(oneOf([...trustedFiles, ...others], wanted));
  if (key === undefined) throw unknownKey([...trustedFiles, ...others], wanted);
  const files = trustedFiles.filter((file) => keyOf(file)?.id === key.id);
  const changed = !(await readTrust(host, configDir)).revokedIds.has(key.id);
  await keyIo(async () => {
    await host.files.mkdir(revoked, { mode: privateKey.folder, recursive: true });
    // Revoked first: a crash between the two leaves a key that is both, and revoked wins.
    if (changed) {
      const text = namedPem(key.pem, key.name);
      await host.files.replace(join(revoked, `${key.id}.pem`), text, { mode: privateKey.file, sync: true });
    }
    for (const file of files) await host.files.unlink(file.path);
  });
  return { key, changed: changed || files.length > 0 };
}

/** The private key that somebody means: an own key by id or name, or a PEM file. */
export async function signingKey(host: Host, configDir: string, wanted: string): Promise<SigningKey> {
  const { own } = keyFolders(configDir);
  const mine = oneOf(await readKeyFiles(host.files, own, ".pub"), wanted);
  const path = mine === undefined ? resolve(host.machine.cwd, wanted) : join(own, `${mine.stem}.key`);
  const text = await readPrivate(host.files, path, wanted);
  let key: KeyObject;
  try {
    key = createPrivateKey(text);
  } catch (error) {
    throw new GumError("USAGE", `The file "${wanted}" holds no private key in PEM form.`, { cause: error });
  }
  if (key.asymmetricKeyType !== "ed25519") {
    throw new GumError("USAGE", `The key "${wanted}" is not an Ed25519 key, and gum signs with no other.`, {
      hint: "make one with `gum key generate`",
    });
  }
  const id = keyIdOf(createPublicKey(key));
  if ((await readTrust(host, configDir)).revokedIds.has(id)) {
    throw new GumError("POLICY_DENIED", `The key ${id} was revoked, so nothing is signed with it.`);
  }
  return { id, key };
}

async function readPrivate(files: Files, path: string, wanted: string): Promise<string> {
  try {
    const facts = await files.stat(path);
    if ((facts.mode & 0o077) !== 0) {
      throw new GumError("POLICY_DENIED", `The private key "${wanted}" is open to other users.`, {
        hint: "close it with `chmod 600`, and replace the key if others could have read it",
      });
    }
    return await files.readText(path, { maxBytes: maxKeyBytes });
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) {
      throw new GumError("USAGE", `There is no key "${wanted}": no own key and no file has that name.`, {
        hint: "see `gum key list`, or make one with `gum key generate`",
      });
    }
    if (isErrno(error, "EACCES", "EISDIR", "EFBIG", "ELOOP") || error instanceof TypeError) {
      throw new GumError("USAGE", `The key "${wanted}" cannot be read as text.`, { cause: error });
    }
    throw error;
  }
}

async function wantedKey(host: Host, configDir: string, wanted: string): Promise<PublicKey> {
  const mine = keyOf(oneOf(await readKeyFiles(host.files, keyFolders(configDir).own, ".pub"), wanted));
  const key = mine ?? (await readKeyFile(host.files, resolve(host.machine.cwd, wanted)));
  if (!("fault" in key)) return key;
  throw new GumError("USAGE", `The file "${wanted}" ${key.fault}.`, {
    hint: "name a PEM file with a public key, or an own key of `gum key list`",
  });
}

/** The one key that is meant; several may have one name, never one id. */
function oneOf(files: readonly KeyFile[], wanted: string): KeyFile | undefined {
  const meant = files.filter((file) => isMeant(file, wanted));
  const ids = new Set(meant.map((file) => keyOf(file)?.id ?? file.stem));
  if (ids.size < 2) return meant[0];
  throw new GumError("USAGE", `${ids.size} keys are named "${wanted}": say which by its id.`, {
    hint: "see `gum key list`",
  });
}

function isMeant({ stem, key }: KeyFile, wanted: string): boolean {
  return stem === wanted || (!("fault" in key) && (key.id === wanted || key.name === wanted));
}

function keyOf(file: KeyFile | undefined): PublicKey | undefined {
  return file === undefined || "fault" in file.key ? undefined : file.key;
}

function unknownKey(files: readonly KeyFile[], wanted: string): GumError {
  const names = files.flatMap((file) => [file.stem, keyOf(file)?.name ?? file.stem]);
  const near = didYouMean(wanted, names);
  return new GumError("USAGE", `No key "${wanted}" is trusted or owned in this profile${near || "."}`, {
    hint: "see `gum key list`",
  });
}

async function keyIo(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isErrno(error, "ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM", "EIO", "ENOTDIR")) throw error;
    const errno = error instanceof Error && "code" in error ? String(error.code) : "EIO";
    throw new GumError("REGISTRY_IO", `Cannot write the keys of this profile: ${errno}.`, { cause: error });
  }
}
