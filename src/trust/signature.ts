// T27: a signature is made over the UTF-8 bytes of a digest string, `sha256:<64 hex>`, and written in base64.
import { Buffer } from "node:buffer";
import { type KeyObject, sign, verify } from "node:crypto";
import type { KeyKind, PublicKey } from "./public-key.ts";

/** What a package says about one signature of itself. */
export interface ClaimedSignature {
  readonly alg: string;
  readonly signature: string;
  /** Whose it claims to be; without one, every trusted key is tried. */
  readonly keyId: string | null;
  /** The digest string that it is made over. */
  readonly digest: string;
}

const algorithms: Readonly<Record<string, KeyKind>> = { ed25519: "ed25519", "rsa-sha256": "rsa" };
const digestRule = /^sha256:[0-9a-fA-F]{64}$/;
const ed25519Bytes = 64;

/** The kind of key that an algorithm needs; undefined for one that gum does not know. */
export function keyKindOf(alg: string): KeyKind | undefined {
  const name = alg.toLowerCase();
  return Object.hasOwn(algorithms, name) ? algorithms[name] : undefined;
}

/** The bytes of a signature, or undefined when the text cannot be one. */
export function signatureBytes({ alg, signature }: ClaimedSignature): Uint8Array | undefined {
  const bytes = Buffer.from(signature, "base64");
  if (bytes.length === 0 || bytes.toString("base64") !== signature) return undefined;
  return keyKindOf(alg) === "ed25519" && bytes.length !== ed25519Bytes ? undefined : bytes;
}

/** Whether this key made this signature over this digest. */
export function isMadeBy(claim: ClaimedSignature, { key, kind }: PublicKey): boolean {
  const bytes = signatureBytes(claim);
  if (bytes === undefined || keyKindOf(claim.alg) !== kind || !isDigest(claim.digest)) return false;
  return verify(kind === "rsa" ? "sha256" : null, new TextEncoder().encode(claim.digest), key, bytes);
}

/** Signs a digest string with an Ed25519 private key. */
export function signDigest(digest: string, key: KeyObject): string {
  if (!isDigest(digest)) throw new TypeError(`Cannot sign: "${digest}" is no digest`);
  return sign(null, new TextEncoder().encode(digest), key).toString("base64");
}

/** Whether a text is `sha256:` and 64 hex digits; what is signed is that very text. */
export function isDigest(text: string): boolean {
  return digestRule.test(text);
}
