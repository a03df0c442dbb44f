import { describe, expect, test } from "bun:test";
import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import { detachedText, parseDetached } from "../../src/trust/detached.ts";
import { demandSignature, judgeDetached, judgeSignature, settle, type Trust } from "../../src/trust/judge.ts";
import { type PublicKey, parsePublicKey } from "../../src/trust/public-key.ts";
import { isMadeBy, signDigest } from "../../src/trust/signature.ts";
import { refusal } from "../registry/support.ts";

// A key pair made elsewhere (OpenSSL), so that ids and signatures are literals and not gum's own opinion.
const privateKey = createPrivateKey({
  key: Buffer.from("MC4CAQAwBQYDK2VwBCIEIJL7jzDn3lKzBJ/iDAh9fky1+J2vJQpENubMix3mFaf8", "base64"),
  format: "der",
  type: "pkcs8",
});
const privatePem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const publicPem = `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEA4lND46Ie9b/a7RbcKmtBOVlY9GdX2JcHayEHqx/81Po=
-----END PUBLIC KEY-----
`;
const keyId = "4caef1e6bd452eaa";
const digest = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const signature = "UjGQBjYAxZLWV+eE8qn6mx3ZQfsIyueN3udBa98TwhoBZ4KnJbMmyJMDSR3G1C+bfAoEjFYuW4cGqs2Uw06FDg==";

function keyOf(pem: string): PublicKey {
  const key = parsePublicKey(pem);
  if ("fault" in key) throw new Error(key.fault);
  return key;
}

function trustOf(given: { trusted?: Record<string, PublicKey>; revoked?: Record<string, PublicKey> }): Trust {
  const revoked = new Map(Object.entries(given.revoked ?? {}));
  return {
    trusted: new Map(Object.entries(given.trusted ?? {})),
    revoked,
    revokedIds: new Set([...revoked].flatMap(([stem, { id }]) => [stem, id])),
  };
}

const key = keyOf(publicPem);
const trusting = trustOf({ trusted: { [key.id]: key } });
const nobody = trustOf({});
const claim = { alg: "ed25519", signature, keyId, digest };
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const rsaKey = keyOf(rsa.publicKey.export({ type: "spki", format: "pem" }).toString());

describe("keys", () => {
  test("T27 a key's id is the first 16 hex digits of the SHA-256 of its SPKI form", () => {
    expect([key.id, key.kind, key.name]).toEqual([keyId, "ed25519", null]);
  });

  test("a name before the block is kept, and nothing else before it matters", () => {
    expect(keyOf(`gum key: release@example\n${publicPem}`).name).toBe("release@example");
    expect(keyOf(`gum key: \u001b[31mred\n${publicPem}`).name).toBe(null);
    expect(keyOf(`some words\r\n${publicPem.replaceAll("\n", "\r\n")}`).id).toBe(keyId);
  });

  test("private keys, weak keys, other kinds and other texts are refused with the reason", () => {
    const small = generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey;
    const curve = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey;
    const spki = { type: "spki", format: "pem" } as const;
    const faults = [
      privatePem,
      `${publicPem}${privatePem}`,
      small.export(spki).toString(),
      curve.export(spki).toString(),
      "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
      "hello",
    ].map(parsePublicKey);
    expect(faults).toEqual([
      { fault: "holds a private key" },
      { fault: "holds a private key" },
      { fault: "holds an RSA key below 2048 bits" },
      { fault: "holds neither an Ed25519 nor an RSA key" },
      { fault: "holds a public key that cannot be read" },
      { fault: "holds no PEM public key" },
    ]);
  });
});

describe("signatures", () => {
  test("T27 a signature is over the UTF-8 bytes of the digest string, and Ed25519 ones are always the same", () => {
    expect(signDigest(digest, privateKey)).toBe(signature);
    expect(isMadeBy(claim, key)).toBe(true);
    expect(isMadeBy({ ...claim, alg: "Ed25519" }, key)).toBe(true);
  });

  test("T27 every changed bit of signature or digest is found out", () => {
    const bytes = Buffer.from(signature, "base64");
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect([at, isMadeBy({ ...claim, signature: changed.toString("base64") }, key)]).toEqual([at, false]);
    }
    expect(isMadeBy({ ...claim, digest: digest.replace("9f", "9e") }, key)).toBe(false);
    expect(isMadeBy({ ...claim, digest: digest.replace("9f86d0", "9F86D0") }, key)).toBe(false);
    expect(isMadeBy({ ...claim, digest: "sha256:abc" }, key)).toBe(false);
  });

  test("T27 RSA-SHA256 is verified as alg says, and never by a key of the other kind", () => {
    const made = sign("sha256", Buffer.from(digest), rsa.privateKey).toString("base64");
    expect(isMadeBy({ ...claim, alg: "RSA-SHA256", signature: made }, rsaKey)).toBe(true);
    expect(
      isMadeBy({ ...claim, alg: "rsa-sha256", signature: made, digest: digest.replace("9f", "9e") }, rsaKey),
    ).toBe(false);
    expect(isMadeBy({ ...claim, alg: "ed25519", signature: made }, rsaKey)).toBe(false);
    expect(isMadeBy({ ...claim, alg: "rsa-sha256" }, key)).toBe(false);
  });
});

describe("verdicts", () => {
  test("T27 a signature by a trusted key is verified, by its id, by its file's name, and without any", () => {
    const good = { state: "verified", keyId, reason: null };
    expect(judgeSignature(claim, trusting)).toEqual(good as never);
    const byName = trustOf({ trusted: { publisher: key } });
    expect(judgeSignature({ ...claim, keyId: "publisher" }, byName)).toEqual(good as never);
    expect(
      judgeSignature({ ...claim, keyId: null }, trustOf({ trusted: { rsaKey, publisher: key } })),
    ).toEqual(good as never);
  });

  test("T27 what cannot be checked is untrusted, what does not fit is invalid", () => {
    const states = [
      judgeSignature(claim, nobody),
      judgeSignature({ ...claim, keyId: null }, nobody),
      judgeSignature({ ...claim, alg: "minisign" }, trusting),
      judgeSignature({ ...claim, digest: digest.replace("9f", "9e") }, trusting),
      judgeSignature({ ...claim, signature: "no base64!" }, nobody),
      judgeSignature({ ...claim, signature: signature.slice(0, 40) }, nobody),
      judgeSignature({ ...claim, alg: "rsa-sha256" }, trusting),
    ].map(({ state }) => state);
    expect(states).toEqual([
      "untrusted",
      "untrusted",
      "untrusted",
      "invalid",
      "invalid",
      "invalid",
      "invalid",
    ]);
  });

  test("T27 a revoked key never verifies again, named or not, trusted at the same time or not", () => {
    for (const trust of [
      trustOf({ revoked: { [keyId]: key } }),
      trustOf({ revoked: { old: key }, trusted: { [keyId]: key } }),
    ]) {
      expect(judgeSignature(claim, trust).state).toBe("revoked");
      expect(judgeSignature({ ...claim, keyId: null }, trust).state).toBe("revoked");
    }
    const byFileName = { ...nobody, revokedIds: new Set([keyId]) };
    expect(judgeSignature(claim, byFileName).state).toBe("revoked");
  });

  test("T27 among several signatures a false one spoils all, and a good one outweighs a revoked one", () => {
    const of = (state: "verified" | "untrusted" | "invalid" | "revoked") => ({
      state,
      keyId: state,
      reason: null,
    });
    expect(settle([of("verified"), of("invalid")]).state).toBe("invalid");
    expect(settle([of("revoked"), of("verified"), of("untrusted")]).state).toBe("verified");
    expect(settle([of("untrusted"), of("revoked")]).state).toBe("revoked");
    expect(settle([of("untrusted")]).state).toBe("untrusted");
    expect(settle([]).state).toBe("unsigned");
  });

  test("T27 what a profile demands: false and revoked are refused always, the rest where it requires signatures", async () => {
    const outcomes: Record<string, readonly string[]> = {};
    for (const state of ["verified", "unsigned", "untrusted", "invalid", "revoked"] as const) {
      const ask = (required: boolean) =>
        refusal(() => demandSignature({ state, keyId: null, reason: "is so" }, "the plugin", required)).then(
          ({ code }) => code,
          () => "accepted",
        );
      outcomes[state] = [await ask(false), await ask(true)];
    }
    expect(outcomes).toEqual({
      verified: ["accepted", "accepted"],
      unsigned: ["accepted", "PLUGIN_SIGNATURE_REQUIRED"],
      untrusted: ["accepted", "PLUGIN_SIGNATURE_INVALID"],
      invalid: ["PLUGIN_SIGNATURE_INVALID", "PLUGIN_SIGNATURE_INVALID"],
      revoked: ["PLUGIN_SIGNATURE_INVALID", "PLUGIN_SIGNATURE_INVALID"],
    });
  });

  test("T27 an unknown signer is a warning that names the key, and counts as nobody", () => {
    const { signature: who, warnings } = demandSignature(
      judgeSignature(claim, nobody),
      'the plugin "x"',
      false,
    );
    expect(who).toEqual({ verified: false, keyId: null });
    expect(warnings).toEqual([
      {
        message: `The signature of the plugin "x" is by the key ${keyId}, unknown here.`,
        hint: `if you trust the key ${keyId}, get it from a source you trust and run \`gum key trust <file.pem>\``,
      },
    ]);
  });
});

describe("detached signatures", () => {
  test("T27 the object and the bare base64 are read alike", () => {
    expect(detachedText(claim)).toBe(
      `{"alg":"ed25519","keyId":"${keyId}","signature":"${signature}","digest":"${digest}"}\n`,
    );
    expect(parseDetached(detachedText(claim), digest)).toEqual(claim);
    expect(parseDetached(` ${signature}\n`, digest)).toEqual({ ...claim, keyId: null });
    expect(parseDetached(JSON.stringify({ alg: "rsa-sha256", signature: "x" }), digest)).toEqual({
      alg: "rsa-sha256",
      signature: "x",
      keyId: null,
      digest,
    });
  });

  test("T27 a file that is no signature, or of another file, is invalid", () => {
    const other = digest.replace("9f", "9e");
    expect(judgeDetached(undefined, digest, trusting).state).toBe("unsigned");
    expect(judgeDetached(detachedText(claim), digest, trusting).state).toBe("verified");
    expect(judgeDetached(`${signature}\n`, digest, trusting).state).toBe("verified");
    for (const text of [
      null,
      "",
      "{",
      '{"alg":"ed25519"}',
      '{"a":1}',
      detachedText({ ...claim, digest: other }),
    ]) {
      expect([text, judgeDetached(text, digest, trusting).state]).toEqual([text, "invalid"]);
    }
    expect(judgeDetached(detachedText(claim), other, trusting).reason).toBe(
      "is for another file: its digest differs",
    );
  });
});
