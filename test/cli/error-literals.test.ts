import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCodes } from "../../src/base/error-codes.ts";

const root = join(import.meta.dir, "../../src");
const codes = new Set(Object.keys(errorCodes));

/** Where a literal is a code by its place in the source. */
const places = [
  /new GumError\(\s*"([^"]*)"/g,
  /\b(?:error_code|errorCode|code):\s*"([A-Z][A-Z0-9_]*)"/g,
  /\bcode\s*[=!]==\s*"([A-Z][A-Z0-9_]*)"/g,
  /\bexitCodeOf\("([^"]*)"\)/g,
];
/** Where it is one by its look: no environment variable or errno begins like this. */
const look =
  /"((?:PLUGIN|VARIANT|REGISTRY|UNKNOWN|PROFILE|SCHEMA_REF|AUTH_COMPONENT|CANARY|OP|RESOURCE|KEYCHAIN|CONFIRMATION)_[A-Z0-9_]+)"/g;
const lists = /\bcodes:\s*\[([^\]]*)\]/g;

/** Literals that look like codes and are none: errno names of the operating system, and a variable of gum's config. */
const others = /^(?:E[A-Z0-9]+|PLUGIN_INSTALL_DIR)$/;

function codesIn(text: string): string[] {
  const direct = [...places, look].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, code = ""]) => code),
  );
  const listed = [...text.matchAll(lists)].flatMap(([, list = ""]) =>
    [...list.matchAll(/"([^"]*)"/g)].map(([, code = ""]) => code),
  );
  return [...direct, ...listed].filter((code) => !others.test(code));
}

describe("E1", () => {
  test("E1 every literal that stands for a code in the source is in the table", () => {
    const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".ts"),
    );
    const found = files.flatMap((file) =>
      codesIn(readFileSync(join(root, file), "utf8")).map((code) => ({ file, code })),
    );
    expect(found.length).toBeGreaterThan(50);
    expect(found.filter(({ code }) => !codes.has(code))).toEqual([]);
  });

  test("E1 the walk finds a code that is not in the table", () => {
    const text = `throw new GumError(
      "MADE_UP", "x"); f({ code: "ALSO_MADE_UP" }); const a = "PLUGIN_MADE_UP"; const s = { codes: ["USAGE", "LISTED"] };`;
    expect(codesIn(text)).toEqual(["MADE_UP", "ALSO_MADE_UP", "PLUGIN_MADE_UP", "USAGE", "LISTED"]);
  });
});
