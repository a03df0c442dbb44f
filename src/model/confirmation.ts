// D4: confirmation tokens. A token is a header and an HMAC-SHA-256 over that header and the whole call it is for, so
// that it is good for exactly one call; the digests in the header only tell which part of another call differs.
//   1 version · 4 key · 4 profile · 6 expiry (ms) · 8 nonce · 4 variant · 1 risk · 8 arguments · 32 HMAC
import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";
import { canonicalJson, jsonDigest, sha256 } from "../base/digest.ts";
import { type RiskClass, riskClasses } from "./risk.ts";

/** The call that a token is for. */
export interface ConfirmedCall {
  readonly profile: string;
  readonly variantId: string;
  readonly risk: RiskClass;
  readonly args: unknown;
}

/** 32 random bytes as hex digits. */
export interface ConfirmationKey {
  readonly hex: string;
}

export const tokenLifeMs = 5 * 60 * 1000;

/** Why a token is refused. `altered` is a token that was changed, or a call that differs from the one it is for. */
export type TokenFault = "missing" | "expired" | "replayed" | "altered" | "other-profile" | "other-process";

/** What differs from the confirmed call, as far as the token tells. */
export type Alteration = "token" | "variant" | "risk" | "arguments";

export type TokenVerdict =
  | { readonly ok: true; readonly nonce: string; readonly expiresAt: number }
  | { readonly ok: false; readonly reason: "altered"; readonly altered: Alteration }
  | { readonly ok: false; readonly reason: "expired" | "other-profile" | "other-key" };

const version = 1;
const sizes = { key: 4, profile: 4, expiry: 6, nonce: 8, variant: 4, risk: 1, args: 8, mac: 32 } as const;
const headerSize = 1 + 4 + 4 + 6 + 8 + 4 + 1 + 8;

/** A token for one call, good for five minutes from `now`; `nonce` is 16 hex digits that were never used before. */
export function issueToken(key: ConfirmationKey, call: ConfirmedCall, nonce: string, now: number): string {
  const header = Buffer.concat([Buffer.from([version]), ...headerParts(key, call, nonce, now + tokenLifeMs)]);
  return Buffer.concat([header, seal(key, header, call)]).toString("base64url");
}

/** Whether the token is for this call and still good; whether it was used before is for the caller to find out. */
export function examineToken(
  key: ConfirmationKey,
  call: ConfirmedCall,
  token: string,
  now: number,
): TokenVerdict {
  const bytes = Buffer.from(token, "base64url");
  // A second spelling of the same bytes would be a second token.
  if (
    bytes.length !== headerSize + sizes.mac ||
    bytes[0] !== version ||
    bytes.toString("base64url") !== token
  ) {
    return { ok: false, reason: "altered", altered: "token" };
  }
  const header = readHeader(bytes);
  if (!header.profile.equals(tag(call.profile, sizes.profile))) return { ok: false, reason: "other-profile" };
  if (!header.key.equals(keyTag(key))) return { ok: false, reason: "other-key" };
  const sealed = seal(key, bytes.subarray(0, headerSize), call);
  if (!timingSafeEqual(sealed, bytes.subarray(headerSize)))
    return { ok: false, reason: "altered", altered: alterationOf(header, call) };
  const left = header.expiresAt - now;
  // More than its whole life is left only when the clock went back: it cannot be told how old the token is.
  if (left <= 0 || left > tokenLifeMs) return { ok: false, reason: "expired" };
  return { ok: true, nonce: header.nonce, expiresAt: header.expiresAt };
}

function headerParts(key: ConfirmationKey, call: ConfirmedCall, nonce: string, expiresAt: number): Buffer[] {
  const expiry = Buffer.alloc(sizes.expiry);
  expiry.writeUIntBE(expiresAt, 0, sizes.expiry);
  return [
    keyTag(key),
    tag(call.profile, sizes.profile),
    expiry,
    Buffer.from(nonce, "hex"),
    tag(call.variantId, sizes.variant),
    Buffer.from([riskClasses.indexOf(call.risk)]),
    argsTag(call.args),
  ];
}

interface Header {
  readonly key: Buffer;
  readonly profile: Buffer;
  readonly expiresAt: number;
  readonly nonce: string;
  readonly variant: Buffer;
  readonly risk: number | undefined;
  readonly args: Buffer;
}

function readHeader(bytes: Buffer): Header {
  let at = 1;
  const take = (size: number): Buffer => {
    at += size;
    return bytes.subarray(at - size, at);
  };
  return {
    key: take(sizes.key),
    profile: take(sizes.profile),
    expiresAt: take(sizes.expiry).readUIntBE(0, sizes.expiry),
    nonce: take(sizes.nonce).toString("hex"),
    variant: take(sizes.variant),
    risk: take(sizes.risk)[0],
    args: take(sizes.args),
  };
}

/** The HMAC over the header and every part of the call, whole. */
function seal(key: ConfirmationKey, header: Uint8Array, call: ConfirmedCall): Buffer {
  const { profile, variantId, risk } = call;
  const bound = canonicalJson({ profile, variant: variantId, risk, args_sha256: jsonDigest(call.args) });
  return createHmac("sha256", Buffer.from(key.hex, "hex")).update(header).update(bound).digest();
}

function alterationOf(header: Header, call: ConfirmedCall): Alteration {
  if (!header.variant.equals(tag(call.variantId, sizes.variant))) return "variant";
  if (header.risk !== riskClasses.indexOf(call.risk)) return "risk";
  return header.args.equals(argsTag(call.args)) ? "token" : "arguments";
}

function keyTag(key: ConfirmationKey): Buffer {
  return tag(`key:${key.hex}`, sizes.key);
}

function argsTag(args: unknown): Buffer {
  return Buffer.from(jsonDigest(args), "hex").subarray(0, sizes.args);
}

function tag(text: string, size: number): Buffer {
  return Buffer.from(sha256(text), "hex").subarray(0, size);
}
