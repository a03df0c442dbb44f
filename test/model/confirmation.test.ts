import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type ConfirmedCall, examineToken, issueToken } from "../../src/model/confirmation.ts";

const key = { hex: "ab".repeat(32) };
const nonce = "0123456789abcdef";
const now = Date.parse("2026-03-01T12:00:00.000Z");
const call: ConfirmedCall = {
  profile: "default",
  variantId: "files.delete.mcp-plugin.v1",
  risk: "destructive",
  args: { path: "a.txt", deep: [1, { b: null }] },
};

const calls = fc.record({
  profile: fc.constantFrom("default", "dev", "work", "Default"),
  variantId: fc.constantFrom("files.delete.v1", "files.delete.v2", "mail.send.v1"),
  risk: fc.constantFrom("write" as const, "destructive" as const),
  args: fc.dictionary(fc.constantFrom("a", "b", "to"), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
});
const keys = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => ({
  hex: Buffer.from(bytes).toString("hex"),
}));
const nonces = fc.uint8Array({ minLength: 8, maxLength: 8 }).map((b) => Buffer.from(b).toString("hex"));

/** The same JSON, whatever the order of its keys. */
const same = (a: unknown, b: unknown) =>
  Bun.deepEquals(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)));

describe("confirmation tokens", () => {
  test("D4 a token is good for the call it was made for, whatever the order of the arguments' keys", () => {
    const token = issueToken(key, call, nonce, now);
    const turned = { ...call, args: { deep: [1, { b: null }], path: "a.txt" } };
    expect(examineToken(key, turned, token, now + 1)).toEqual({
      ok: true,
      nonce,
      expiresAt: now + 300_000,
    });
    expect(token).toMatch(/^[A-Za-z0-9_-]{91}$/);
  });

  test("D4 five minutes after it was made a token has expired", () => {
    const token = issueToken(key, call, nonce, now);
    expect(examineToken(key, call, token, now + 299_999).ok).toBe(true);
    expect(examineToken(key, call, token, now + 300_000)).toEqual({ ok: false, reason: "expired" });
    // The clock went back: how old the token is cannot be told.
    expect(examineToken(key, call, token, now - 1)).toEqual({ ok: false, reason: "expired" });
  });

  const others: [string, Partial<ConfirmedCall>, unknown][] = [
    ["another profile", { profile: "dev" }, { ok: false, reason: "other-profile" }],
    ["another variant", { variantId: "files.list.v1" }, { ok: false, reason: "altered", altered: "variant" }],
    ["another risk", { risk: "write" }, { ok: false, reason: "altered", altered: "risk" }],
    ["other arguments", { args: { path: "b.txt" } }, { ok: false, reason: "altered", altered: "arguments" }],
  ];
  test.each(others)("D4 a token is refused for %s, and says so", (_, change, verdict) => {
    expect(examineToken(key, { ...call, ...change }, issueToken(key, call, nonce, now), now)).toEqual(
      verdict as never,
    );
  });

  test("D4 no token verifies for another call", () => {
    fc.assert(
      fc.property(calls, calls, nonces, (made, used, someNonce) => {
        const verdict = examineToken(key, used, issueToken(key, made, someNonce, now), now);
        expect(verdict.ok).toBe(same(made, used));
      }),
      { numRuns: 500 },
    );
  });

  test("D4 no token verifies under another key", () => {
    fc.assert(
      fc.property(calls, keys, keys, nonces, (made, first, second, someNonce) => {
        const verdict = examineToken(second, made, issueToken(first, made, someNonce, now), now);
        expect(verdict.ok).toBe(first.hex === second.hex);
      }),
      { numRuns: 200 },
    );
  });

  test("D4 a token with any byte changed is refused", () => {
    const bytes = Buffer.from(issueToken(key, call, nonce, now), "base64url");
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ flip;
        expect(examineToken(key, call, changed.toString("base64url"), now).ok).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test("D4 what is no token, or a second spelling of one, is altered", () => {
    const token = issueToken(key, call, nonce, now);
    const altered = { ok: false, reason: "altered", altered: "token" } as const;
    for (const wrong of ["x", `${token}=`, `${token}A`, token.slice(1), ` ${token}`, `${token}\n`])
      expect([wrong, examineToken(key, call, wrong, now)]).toEqual([wrong, altered]);
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        expect(text === token || !examineToken(key, call, text, now).ok).toBe(true);
      }),
    );
  });
});
