import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse as parseToml, stringify } from "@iarna/toml";
import fc from "fast-check";
import { readJson } from "../../src/base/json-reader.ts";
import { ReadFault } from "../../src/base/read-fault.ts";
import { isRecord } from "../../src/base/record.ts";
import { readToml } from "../../src/base/toml-reader.ts";
import { parseManifest } from "../../src/manifest/read.ts";
import type { DocumentPath } from "../../src/model/document.ts";

const golden = join(import.meta.dirname, "../golden/manifests");
/** Names that a JavaScript object inherits, or ways to write them: gum refuses them, the parser would follow them. */
const inherited = /__|proto|constructor|toString|valueOf|hasOwn|propertyIs|toLocale|\\u|\\U/;

function sources(name: string): string[] {
  return readdirSync(golden)
    .toSorted()
    .filter((folder) => readdirSync(join(golden, folder)).includes(name))
    .map((folder) => readFileSync(join(golden, folder, name), "utf8"));
}

function attempt<T>(run: () => T): { value: T } | undefined {
  try {
    return { value: run() };
  } catch {
    return undefined;
  }
}

async function attemptToml(text: string): Promise<{ value: unknown } | undefined> {
  try {
    return { value: (await readToml(text)).value };
  } catch (error) {
    if (error instanceof ReadFault) return undefined;
    throw error;
  }
}

/** The text with some characters removed, doubled or replaced. */
const edits = fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(..."{}[]\",:='#.\\ \n01-eatf\t")), {
  maxLength: 6,
});

function edited(text: string, changes: readonly (readonly [number, number, string])[]): string {
  let result = text;
  for (const [where, kind, character] of changes) {
    const at = where % (result.length + 1);
    const rest = result.slice(at + (kind === 0 ? 0 : 1));
    result = result.slice(0, at) + (kind === 1 ? "" : character) + rest;
  }
  return result;
}

/** Every path below a value that has a key of its own. */
function* pathsOf(value: unknown, path: DocumentPath = []): Generator<DocumentPath> {
  if (path.length > 0) yield path;
  if (Array.isArray(value)) for (const [i, child] of value.entries()) yield* pathsOf(child, [...path, i]);
  else if (isRecord(value))
    for (const [key, child] of Object.entries(value)) yield* pathsOf(child, [...path, key]);
}

test("M2 the JSON reader gives the values that JSON.parse gives", () => {
  const plain = fc.json({ maxDepth: 5 }).filter((text) => !inherited.test(text));
  fc.assert(
    fc.property(plain, (text) => {
      expect(readJson(text).value).toEqual(JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});

test("M2 the JSON reader accepts a text only when JSON.parse does", () => {
  const texts = sources("manifest.json").filter((text) => !inherited.test(text) && !text.includes("[[[["));
  fc.assert(
    fc.property(fc.constantFrom(...texts), edits, (text, changes) => {
      const changed = edited(text, changes);
      const ours = attempt(() => readJson(changed));
      const theirs = attempt((): unknown => JSON.parse(changed));
      if (ours !== undefined) expect(ours.value.value).toEqual(theirs?.value);
      // What only gum refuses is a key that stands twice.
      else if (theirs !== undefined) expect(() => readJson(changed)).toThrow("stands twice");
    }),
    { numRuns: 2000 },
  );
});

test("M2 the positions of JSON values are where the values are", async () => {
  for (const text of sources("manifest.json")) {
    const document = await parseManifest({
      name: "manifest.json",
      bytes: new TextEncoder().encode(text),
    }).catch(() => undefined);
    if (document === undefined) continue;
    for (const path of pathsOf(document.value)) {
      const { line = 0, column = 0 } = document.keyPlaceOf(path);
      const here = document.text.split("\n")[line - 1]?.slice(column - 1) ?? "";
      const key = path.at(-1);
      if (typeof key === "string") expect(JSON.parse(/^"(?:[^"\\]|\\.)*"/.exec(here)?.[0] ?? "0")).toBe(key);
    }
  }
});

test("M2 the TOML scanner and the TOML parser agree on edited manifests", async () => {
  const texts = sources("manifest.toml").filter((text) => !inherited.test(text) && !text.includes("\r"));
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...texts), edits, async (text, changes) => {
      const changed = edited(text, changes);
      fc.pre(!inherited.test(changed));
      const theirs = attempt(() => parseToml(changed));
      const ours = await attemptToml(changed);
      if (ours !== undefined) accepted += 1;
      if (theirs !== undefined && !hasOddNumbers(theirs.value))
        expect(ours?.value).toEqual(asJson(theirs.value));
      if (theirs === undefined) expect(ours).toBeUndefined();
    }),
    { numRuns: 3000 },
  );
  expect(accepted).toBeGreaterThan(300);
});

test("M2 every key of a TOML text is found where it stands", async () => {
  const word = fc.stringMatching(/^[a-z]{1,6}$/).filter((name) => !inherited.test(name));
  const key = fc.oneof(word, fc.stringMatching(/^[a-z .="'#]{1,6}$/));
  const { tree } = fc.letrec((tie) => ({
    leaf: fc.oneof(
      fc.integer({ min: -9, max: 9 }),
      fc.boolean(),
      fc.constantFrom("", "x", 'a"b', "l1\nl2", "# no"),
    ),
    list: fc.array(fc.constantFrom("a", "b,c", "]"), { maxLength: 3 }),
    tree: fc.dictionary(key, fc.oneof({ maxDepth: 3 }, tie("leaf"), tie("list"), tie("tree"), tie("rows")), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
    rows: fc.array(tie("tree"), { minLength: 1, maxLength: 2 }),
  }));
  await fc.assert(
    fc.asyncProperty(tree, async (value) => {
      const text = stringify(Object(value));
      const document = await parseManifest({ name: "manifest.toml", bytes: new TextEncoder().encode(text) });
      expect<unknown>(document.value).toEqual(asJson(parseToml(text)));
      for (const path of pathsOf(document.value)) {
        const name = path.at(-1);
        if (typeof name !== "string") continue;
        const { line = 0, column = 0 } = document.keyPlaceOf(path);
        const here = document.text.split("\n")[line - 1]?.slice(column - 1) ?? "";
        const quoted = /^(?:"(?:[^"\\]|\\.)*"|'[^']*')/.exec(here)?.[0];
        if (quoted === undefined) expect(here.startsWith(name)).toBe(true);
        else expect(Object(parseToml(`${quoted} = 1`))[name]).toBe(1);
      }
    }),
    { numRuns: 300 },
  );
});

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function hasOddNumbers(value: unknown): boolean {
  if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasOddNumbers);
}
