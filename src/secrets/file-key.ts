import { dirname, resolve } from "node:path/posix";
import { isErrno } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { CredentialSettings } from "../model/credentials.ts";
import type { KeySource } from "./file-store.ts";
import type { SealKey } from "./sealed-text.ts";
import type { StoreFault } from "./store.ts";

const leastBytes = 32;
const mostBytes = 4096;

/** The key of the credential file: a private file when one is configured, else a passphrase. */
export function keySource(host: Host, configDir: string, settings: CredentialSettings): KeySource {
  const { keyFile } = settings;
  if (keyFile === null) {
    return {
      take: ({ create }) => passphrase(host, settings, create),
      ready: async () => (hasPassphrase(host, settings) ? { kind: "open" } : nobodyKnows),
    };
  }
  const path = resolve(configDir, keyFile.replace(/^~(?=\/)/, host.machine.home));
  return {
    take: ({ create }) => keyOfFile(host, path, create),
    async ready() {
      if (!(await host.files.exists(path))) return { kind: "open" };
      const key = await keyOfFile(host, path, false);
      return "reason" in key ? key : { kind: "open" };
    },
  };
}

async function keyOfFile(host: Host, path: string, create: boolean): Promise<SealKey | StoreFault> {
  try {
    return await readKey(host, path);
  } catch (error) {
    if (isErrno(error, "ENOENT") && create) return makeKey(host, path);
    if (isErrno(error, "ENOENT", "ENOTDIR")) return unavailable("its key file is not there");
    if (isErrno(error, "EACCES", "EPERM", "ELOOP", "EISDIR", "EIO"))
      return unavailable("its key file cannot be read");
    throw error;
  }
}

async function readKey(host: Host, path: string): Promise<SealKey | StoreFault> {
  const file = await host.files.open(path, "read");
  try {
    const { kind, mode, uid, size } = await file.stat();
    if (kind !== "file") return unavailable("its key file is no file");
    if ((mode & 0o077) !== 0) return unavailable("its key file can be read by others: make it 0600");
    if (uid !== host.machine.uid && uid !== 0) return unavailable("its key file belongs to somebody else");
    if (size < leastBytes || size > mostBytes)
      return unavailable(`its key file must hold ${leastBytes} to ${mostBytes} bytes`);
    const bytes = new Uint8Array(size);
    const count = await file.read(bytes, 0);
    return count === size
      ? { kind: "key file", bytes }
      : unavailable("its key file changed while it was read");
  } finally {
    await file.close();
  }
}

async function makeKey(host: Host, path: string): Promise<SealKey | StoreFault> {
  await host.files.mkdir(dirname(path), { mode: 0o700, recursive: true });
  await host.files.writeNew(path, `${host.randomHex(64)}\n`, { mode: 0o600, sync: true });
  return readKey(host, path);
}

/** What was typed, once per process. */
const typed = new WeakMap<object, SealKey>();

/** From the environment, else from a person; where neither is, the file stays locked. */
async function passphrase(
  host: Host,
  settings: CredentialSettings,
  create: boolean,
): Promise<SealKey | StoreFault> {
  const { terminal } = host;
  const { passphrase: said } = settings;
  if (!hasPassphrase(host, settings)) return nobodyKnows;
  if (said !== null && said !== "") return keyOf(said);
  const known = typed.get(terminal);
  if (known !== undefined) return known;
  const first = await terminal.askSecret("Passphrase of the credential file: ");
  if (first === undefined || first === "") return { kind: "locked", reason: "no passphrase was typed" };
  if (create && (await terminal.askSecret("The same passphrase again: ")) !== first) {
    return { kind: "locked", reason: "the two passphrases differ" };
  }
  const key = keyOf(first);
  typed.set(terminal, key);
  return key;
}

const nobodyKnows: StoreFault = {
  kind: "locked",
  reason: "nobody gave its passphrase (GUM_SECRETS_PASSPHRASE)",
};

/** Given by the environment, typed before, or to be typed by somebody who is there. */
function hasPassphrase({ terminal }: Host, { passphrase: said }: CredentialSettings): boolean {
  const { stdin, stderr } = terminal.interactive;
  return (said !== null && said !== "") || typed.has(terminal) || (stdin && stderr);
}

function keyOf(text: string): SealKey {
  return { kind: "passphrase", bytes: new TextEncoder().encode(text.normalize("NFC")) };
}

function unavailable(reason: string): StoreFault {
  return { kind: "unavailable", reason };
}
