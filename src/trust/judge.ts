import { GumError, type Warning } from "../base/errors.ts";
import type { PackageSignature } from "../model/install.ts";
import { parseDetached } from "./detached.ts";
import type { PublicKey } from "./public-key.ts";
import { type ClaimedSignature, isMadeBy, keyKindOf, signatureBytes } from "./signature.ts";

/** The keys that the operator decided about. */
export interface Trust {
  /** By the name of the file each lies in, which may also be named as key id. */
  readonly trusted: ReadonlyMap<string, PublicKey>;
  readonly revoked: ReadonlyMap<string, PublicKey>;
  /** Every name and id under which a key is revoked, also where its file holds no key any more. */
  readonly revokedIds: ReadonlySet<string>;
}

export const signatureStates = ["verified", "unsigned", "untrusted", "invalid", "revoked"] as const;

/** What a signature is worth. Only `verified` vouches for anything. */
export interface Verdict {
  readonly state: (typeof signatureStates)[number];
  readonly keyId: string | null;
  /** Why it is not verified, as the end of a sentence about the signature. */
  readonly reason: string | null;
}

/** Judges one signature by the keys that are trusted and revoked. */
export function judgeSignature(claim: ClaimedSignature, trust: Trust): Verdict {
  if (keyKindOf(claim.alg) === undefined) {
    return { state: "untrusted", keyId: claim.keyId, reason: `uses the unknown algorithm "${claim.alg}"` };
  }
  if (signatureBytes(claim) === undefined) return invalid(claim.keyId, "is not base64 of a signature");
  return claim.keyId === null ? judgeNameless(claim, trust) : judgeNamed(claim, claim.keyId, trust);
}

/** Judges the text of a `.sig` file, if there is one, as the signature of a file with this digest. */
export function judgeDetached(text: string | null | undefined, digest: string, trust: Trust): Verdict {
  if (text === undefined) return unsigned;
  const claim = parseDetached(text, digest);
  return "fault" in claim ? invalid(null, claim.fault) : judgeSignature(claim, trust);
}

/** One verdict for all signatures of a package: a false one spoils it, a good one outweighs a revoked one. */
export function settle(verdicts: readonly Verdict[]): Verdict {
  const worst = (["invalid", "verified", "revoked", "untrusted"] as const)
    .map((state) => verdicts.find((verdict) => verdict.state === state))
    .find((verdict) => verdict !== undefined);
  return worst ?? unsigned;
}

/**
 * What a verdict means for a package in a profile: a false or revoked signature is refused always; an unsigned package
 * and an unknown signer where the profile requires signatures.
 */
export function demandSignature(
  verdict: Verdict,
  what: string,
  required: boolean,
): { readonly signature: PackageSignature; readonly warnings: readonly Warning[] } {
  const { state, keyId, reason } = verdict;
  if (state === "verified") return { signature: { verified: true, keyId }, warnings: [] };
  if (state === "unsigned") {
    if (!required) return { signature: nobody, warnings: [] };
    throw new GumError(
      "PLUGIN_SIGNATURE_REQUIRED",
      `There is no signature of ${what}, and this profile requires one.`,
      {
        details: { signature: state },
      },
    );
  }
  const sentence = `The signature of ${what} ${reason}.`;
  if (state === "untrusted" && !required) {
    return { signature: nobody, warnings: [{ message: sentence, hint: trustHint(keyId) }] };
  }
  throw new GumError("PLUGIN_SIGNATURE_INVALID", sentence, {
    ...(state === "untrusted" ? { hint: trustHint(keyId) } : {}),
    details: { signature: state, key_id: keyId },
  });
}

const unsigned: Verdict = { state: "unsigned", keyId: null, reason: "is not there" };
const nobody: PackageSignature = { verified: false, keyId: null };

function trustHint(keyId: string | null): string {
  const key = keyId === null ? "its maker's key" : `the key ${keyId}`;
  return `if you trust ${key}, get it from a source you trust and run \`gum key trust <file.pem>\``;
}

function judgeNamed(claim: ClaimedSignature, keyId: string, trust: Trust): Verdict {
  if (trust.revokedIds.has(keyId)) return revoked(keyId);
  const key = trust.trusted.get(keyId) ?? [...trust.trusted.values()].find(({ id }) => id === keyId);
  if (key === undefined) return { state: "untrusted", keyId, reason: `is by the key ${keyId}, unknown here` };
  if (trust.revokedIds.has(key.id)) return revoked(key.id);
  return isMadeBy(claim, key)
    ? { state: "verified", keyId: key.id, reason: null }
    : invalid(key.id, `was not made by the key ${keyId} for these bytes`);
}

function judgeNameless(claim: ClaimedSignature, trust: Trust): Verdict {
  const maker = [...trust.revoked.values(), ...trust.trusted.values()].find((key) => isMadeBy(claim, key));
  if (maker === undefined) {
    return { state: "untrusted", keyId: null, reason: "names no key and fits none that is trusted" };
  }
  if (trust.revokedIds.has(maker.id)) return revoked(maker.id);
  return { state: "verified", keyId: maker.id, reason: null };
}

function revoked(keyId: string): Verdict {
  return { state: "revoked", keyId, reason: `is by the key ${keyId}, which was revoked` };
}

function invalid(keyId: string | null, reason: string): Verdict {
  return { state: "invalid", keyId, reason };
}
