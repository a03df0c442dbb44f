// A text sealed with AES-256-GCM under a key that scrypt makes of a key file or a passphrase. The head (format, cost,
// salt, nonce) is part of what is authenticated, so that nothing of the file can be changed unseen.
import { type CipherGCMTypes, createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";

export interface SealKey {
  readonly bytes: Uint8Array;
  /** A passphrase is guessed, so each guess must be dear; a key file of 32 random bytes is not. */
  readonly kind: "passphrase" | "key file";
}

const algorithm: CipherGCMTypes = "aes-256-gcm";
const costs = { passphrase: 17, "key file": 14 } as const;
const blockSize = 8;
const leastCost = 14;
const mostCost = 20;

interface Head {
  readonly gum_secrets: 1;
  readonly kdf: "scrypt";
  readonly cost: number;
  readonly salt: string;
  readonly nonce: string;
}

/** The text as it is written to a file. The nonce is new each time; the salt is that of `before`, if it has one. */
export async function seal(text: string, key: SealKey, before?: string): Promise<string> {
  const old = before === undefined ? undefined : readFile(before)?.head;
  const head: Head = {
    gum_secrets: 1,
    kdf: "scrypt",
    cost: costs[key.kind],
    salt: old?.salt ?? randomBytes(16).toString("base64"),
    nonce: randomBytes(12).toString("base64"),
  };
  const cipher = createCipheriv(algorithm, await derive(key, head), Buffer.from(head.nonce, "base64"));
  cipher.setAAD(Buffer.from(JSON.stringify(head)));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return fileText(head, cipher.getAuthTag().toString("base64"), sealed.toString("base64"));
}

function fileText({ gum_secrets, kdf, cost, salt, nonce }: Head, tag: string, sealed: string): string {
  return `${JSON.stringify({ gum_secrets, kdf, cost, salt, nonce, tag, sealed })}\n`;
}

/** The text again; undefined when the key is another, or one bit of the file has changed. */
export async function unseal(file: string, key: SealKey): Promise<string | undefined> {
  const read = readFile(file);
  if (read === undefined) return undefined;
  const { head, tag, sealed } = read;
  try {
    const opener = createDecipheriv(algorithm, await derive(key, head), Buffer.from(head.nonce, "base64"), {
      authTagLength: 16,
    });
    opener.setAAD(Buffer.from(JSON.stringify(head)));
    opener.setAuthTag(tag);
    return Buffer.concat([opener.update(sealed), opener.final()]).toString("utf8");
  } catch {
    return undefined; // whatever node says about it, it is not what was sealed
  }
}

/** What was derived last of each key, since that is made to be slow. */
const derived = new WeakMap<SealKey, { readonly from: string; readonly made: Promise<Buffer> }>();

function derive(key: SealKey, head: Head): Promise<Buffer> {
  const from = `${head.cost} ${head.salt}`;
  const known = derived.get(key);
  if (known?.from === from) return known.made;
  const made = deriveNow(key, head);
  derived.set(key, { from, made });
  return made;
}

function deriveNow(key: SealKey, { cost, salt }: Head): Promise<Buffer> {
  const N = 2 ** cost;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  scrypt(
    key.bytes,
    Buffer.from(salt, "base64"),
    32,
    { N, r: blockSize, p: 1, maxmem: 256 * N * blockSize },
    (error, made) => (error instanceof Error ? reject(error) : resolve(made)),
  );
  return promise;
}

function readFile(
  file: string,
): { readonly head: Head; readonly tag: Uint8Array; readonly sealed: Uint8Array } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(file);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { gum_secrets, kdf, cost, salt, nonce, tag, sealed }: Readonly<Record<string, unknown>> = {
    ...value,
  };
  if (gum_secrets !== 1 || kdf !== "scrypt" || typeof salt !== "string" || typeof nonce !== "string") return;
  // Whoever can write the file must not be able to make gum work for hours.
  if (!(typeof cost === "number" && Number.isInteger(cost) && cost >= leastCost && cost <= mostCost)) return;
  if (typeof tag !== "string" || typeof sealed !== "string") return undefined;
  const head: Head = { gum_secrets, kdf, cost, salt, nonce };
  const bytes = { tag: Buffer.from(tag, "base64"), sealed: Buffer.from(sealed, "base64") };
  // Only the one way in which it is written: base64 and JSON have others for the same bytes.
  const again = fileText(head, bytes.tag.toString("base64"), bytes.sealed.toString("base64"));
  return again === file && bytes.tag.length === 16 ? { head, ...bytes } : undefined;
}
