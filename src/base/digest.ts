import { createHash } from "node:crypto";
import canonicalize from "canonicalize";

/** SHA-256 of bytes or UTF-8 text, as 64 lower-case hex digits. */
export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** The JCS form (RFC 8785) of a JSON value. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("Cannot canonicalize: the value is not JSON");
  return text;
}

/** SHA-256 of the JCS form. */
export function jsonDigest(value: unknown): string {
  return sha256(canonicalJson(value));
}
