import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { GumError } from "../../src/base/errors.ts";
import { createRedactor, redactDeep, redactError } from "../../src/secrets/redact.ts";

const secret = "s3cr&t/value=ü+1";
const redact = createRedactor([secret]);

describe("redaction", () => {
  test("T17 a value is taken out plain, URL-encoded, JSON-escaped and in base64 at every alignment", () => {
    const bytes = Buffer.from(secret);
    const samples = [
      `token ${secret}!`,
      `https://example.test/?t=${encodeURIComponent(secret)}&x=1`,
      `https://example.test/?t=${encodeURIComponent(secret).toLowerCase().replace("s3cr", "s3cr")}&x=1`,
      new URLSearchParams({ t: secret }).toString(),
      JSON.stringify({ t: secret }),
      JSON.stringify(JSON.stringify({ t: secret })),
      JSON.stringify(JSON.stringify(JSON.stringify('{"t":"s3cr&t/value=\\u00fc+1"}'))),
      '{"t":"s3cr&t/value=\\u00fc+1"}',
      ...[0, 1, 2, 3].map((n) => Buffer.concat([Buffer.from("x".repeat(n)), bytes]).toString("base64")),
      Buffer.from(`user:${secret}@host`).toString("base64url"),
    ];
    for (const sample of samples) {
      expect(redact(sample)).toContain("[redacted]");
      expect(decodings(redact(sample))).not.toContain("s3cr&t/value");
    }
  });

  test("T17 whatever stands around a value, no form of it is left", () => {
    const word = fc
      .string({ minLength: 8, maxLength: 40, unit: "grapheme" })
      .filter((s) => s.trim().length >= 8);
    const around = fc.string({ maxLength: 20 });
    fc.assert(
      fc.property(word, around, around, (value, before, after) => {
        const clean = createRedactor([value]);
        const text = `${before}${value}${after}`;
        expect(clean(text)).not.toContain(value);
        expect(clean(JSON.stringify({ text }))).not.toContain(JSON.stringify(value).slice(1, -1));
        expect(clean(encodeURIComponent(text.toWellFormed()))).not.toContain(
          encodeURIComponent(value.toWellFormed()),
        );
        const encoded = clean(Buffer.from(text).toString("base64"));
        expect(Buffer.from(encoded.split("[redacted]").join("")).includes(value)).toBe(false);
        expect(encoded).toContain("[redacted]");
      }),
      { numRuns: 300 },
    );
  });

  test("T17 a value that a summary or a tail has cut is known by what is left of it", () => {
    const clean = createRedactor(["abcdefghijklmnopqrst"]);
    expect(clean("it said abcdefghijkl…")).toBe("it said [redacted]…");
    expect(clean("it said abcdefghijkl")).toBe("it said [redacted]");
    expect(clean("ijklmnopqrst was wrong")).toBe("[redacted] was wrong");
    expect(clean("abcdefg…")).toBe("abcdefg…");
  });

  test("T17 a value of several lines is taken out line by line, and when it was put on one line", () => {
    const clean = createRedactor(["-----BEGIN KEY-----\nMIIEvQIBADANBg\n-----END KEY-----"]);
    expect(clean("a\nMIIEvQIBADANBg\nb")).toBe("a\n[redacted]\nb");
    expect(clean("-----BEGIN KEY----- MIIEvQIBADANBg -----END KEY-----")).toBe("[redacted]");
  });

  test("T17 a very short value is taken out where it stands alone, and not out of words", () => {
    const clean = createRedactor(["abc"]);
    expect(clean("the alphabet abc, not abcd")).toBe("the alphabet [redacted], not abcd");
    expect(createRedactor([])("anything")).toBe("anything");
    expect(createRedactor([""])("anything")).toBe("anything");
  });

  test("T17 objects are searched whole, keys too, and stay the same object when nothing is found", () => {
    const clean = createRedactor(["hunter22"]);
    const searched: unknown = redactDeep({ a: ["x hunter22"], hunter22: { n: 1 } }, clean);
    expect(searched).toEqual({
      a: ["x [redacted]"],
      "[redacted]": { n: 1 },
    });
    const same = { a: [1, "b", { c: null }] };
    expect(redactDeep(same, clean)).toBe(same);
  });

  test("T17 an error loses the value in sentence, hint, details, cause and stack, and keeps its code", () => {
    const cause = Object.assign(new Error("no hunter22 here"), { code: "ENOENT" });
    const error = new GumError("SERVICE_DOWN", "It said hunter22.", {
      hint: "try hunter22",
      details: { stderr_tail: "hunter22\n", cause: "exited" },
      retryable: true,
      cause,
    });
    const clean = redactError(error, createRedactor(["hunter22"]));
    expect([clean.code, clean.message, clean.info.hint, clean.info.retryable]).toEqual([
      "SERVICE_DOWN",
      "It said [redacted].",
      "try [redacted]",
      true,
    ]);
    expect(clean.info.details).toEqual({ stderr_tail: "[redacted]\n", cause: "exited" });
    expect(clean.cause).toMatchObject({ message: "no [redacted] here", code: "ENOENT" });
    expect(`${clean.stack} ${(clean.cause as Error).stack}`).not.toContain("hunter22");
  });
});

/** The text and what it may be the encoding of. */
function decodings(text: string): string {
  const base64 = [0, 1, 2, 3].map((n) => Buffer.from("A".repeat(n) + text, "base64").toString("latin1"));
  return [
    text,
    ...base64,
    text.replace(/%([0-9a-f]{2})/gi, (_, h) => String.fromCharCode(Number(`0x${h}`))),
  ].join("\n");
}
