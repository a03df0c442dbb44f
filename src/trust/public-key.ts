import { createHash, createPublicKey, type KeyObject } from "node:crypto";

export const keyKinds = ["ed25519", "rsa"] as const;
export type KeyKind = (typeof keyKinds)[number];

/** A key that signatures can be checked with. */
export interface PublicKey {
  /** The first 16 hex digits of the SHA-256 of its SPKI form. */
  readonly id: string;
  readonly kind: KeyKind;
  /** What its maker called it; text from elsewhere, never proof of anything. */
  readonly name: string | null;
  readonly key: KeyObject;
  /** The PEM block alone. */
  readonly pem: string;
}

const block = /-----BEGIN PUBLIC KEY-----\r?\n[A-Za-z0-9+/=\r\n]+-----END PUBLIC KEY-----/;
const nameLine = /^gum key: ([A-Za-z0-9][A-Za-z0-9._@-]{0,63})\r?\n/;
const keyIdRule = /^[0-9a-f]{16}$/;
const minRsaBits = 2048;

/** The key in a PEM text, or what is wrong with it as the end of a sentence. */
export function parsePublicKey(text: string): PublicKey | { readonly fault: string } {
  // A public key can be made from a private one, but nobody means to hand that out.
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return { fault: "holds a private key" };
  const pem = block.exec(text)?.[0];
  if (pem === undefined) return { fault: "holds no PEM public key" };
  let key: KeyObject;
  try {
    key = createPublicKey(pem);
  } catch {
    return { fault: "holds a public key that cannot be read" };
  }
  const kind = keyKinds.find((known) => known === key.asymmetricKeyType);
  if (kind === undefined) return { fault: "holds neither an Ed25519 nor an RSA key" };
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (kind === "rsa" && bits < minRsaBits) return { fault: `holds an RSA key below ${minRsaBits} bits` };
  return { id: keyIdOf(key), kind, name: nameLine.exec(text)?.[1] ?? null, key, pem };
}

/** The id of a public key. */
export function keyIdOf(key: KeyObject): string {
  const der = key.export({ type: "spki", format: "der" });
  return createHash("sha256").update(der).digest("hex").slice(0, 16);
}

/** Whether a text has the form of a key id. */
export function isKeyId(text: string): boolean {
  return keyIdRule.test(text);
}

/** A PEM file as gum writes it: the name, which readers of PEM pass over, then the block. */
export function namedPem(pem: string, name: string | null): string {
  return `${name === null ? "" : `gum key: ${name}\n`}${pem.trim()}\n`;
}
