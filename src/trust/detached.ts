// A detached signature is a file beside an archive, `<archive>.sig`. Two forms are read:
//   {"alg":"ed25519","keyId":"…","signature":"<base64>","digest":"sha256:…"}   what `gum plugin pack --sign` writes
//   <base64>                                                                   an Ed25519 signature and nothing else
import * as v from "valibot";
import { isErrno } from "../base/errors.ts";
import type { Files } from "../host/host.ts";
import type { ClaimedSignature } from "./signature.ts";

const Detached = v.strictObject({
  alg: v.pipe(v.string(), v.maxLength(64)),
  keyId: v.optional(v.pipe(v.string(), v.maxLength(256))),
  signature: v.pipe(v.string(), v.maxLength(8192)),
  digest: v.optional(v.pipe(v.string(), v.maxLength(256))),
});

const maxBytes = 16_384;

/** Where the detached signature of a file lies. */
export function signatureFileOf(path: string): string {
  return `${path}.sig`;
}

/** The text of `<path>.sig`; undefined when there is none, null when it is no text of reasonable size. */
export async function readDetached(files: Files, path: string): Promise<string | null | undefined> {
  try {
    return await files.readText(signatureFileOf(path), { maxBytes });
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    if (isErrno(error, "EFBIG", "EISDIR", "ELOOP", "EACCES") || error instanceof TypeError) return null;
    throw error;
  }
}

/** The signature in the text of a `.sig` file over this digest, or what is wrong as the end of a sentence. */
export function parseDetached(
  text: string | null,
  digest: string,
): ClaimedSignature | { readonly fault: string } {
  if (text === null) return { fault: "cannot be read" };
  const trimmed = text.trim();
  if (!trimmed.startsWith("{")) return { alg: "ed25519", signature: trimmed, keyId: null, digest };
  const parsed = v.safeParse(Detached, parseJson(trimmed));
  if (!parsed.success) return { fault: "is neither a signature object nor base64" };
  const { alg, keyId, signature, digest: stated } = parsed.output;
  if (stated !== undefined && stated.toLowerCase() !== digest) {
    return { fault: "is for another file: its digest differs" };
  }
  return { alg, signature, keyId: keyId ?? null, digest };
}

/** The text of a `.sig` file. */
export function detachedText({ alg, keyId, signature, digest }: ClaimedSignature): string {
  return `${JSON.stringify({ alg, keyId: keyId ?? undefined, signature, digest })}\n`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
