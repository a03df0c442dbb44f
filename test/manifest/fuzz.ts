// Random and mutated manifests. Every one must end in a code of the table or in a plugin: never in another exception.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { errorCodes } from "../../src/base/error-codes.ts";
import type { ManifestName } from "../../src/model/document.ts";
import { Plugin } from "../../src/model/plugin.ts";
import { type Folder, runAll } from "./run-all.ts";

export interface FuzzReport {
  readonly cases: number;
  readonly plugins: number;
  readonly codes: Readonly<Record<string, number>>;
  readonly slowestMs: number;
  readonly rssGrowthMb: number;
  /** What broke the rule, with the seed of the case. */
  readonly failures: readonly { readonly seed: number; readonly what: string }[];
}

interface Seed {
  readonly name: ManifestName;
  readonly text: string;
}

const golden = join(import.meta.dirname, "../golden/manifests");
const names: readonly ManifestName[] = ["manifest.json", "manifest.toml", "mcp-plugin.json"];

/** Runs that many cases from a seed on; the same seeds give the same cases. */
export async function fuzz(count: number, firstSeed: number): Promise<FuzzReport> {
  const seeds = goldenSeeds();
  const codes: Record<string, number> = {};
  const failures: { seed: number; what: string }[] = [];
  let plugins = 0;
  let slowestMs = 0;
  let highest = 0;
  const before = process.memoryUsage().rss;
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
    const folder = makeCase(new Random(seed), seeds);
    const start = performance.now();
    const code = await endOf(folder).catch((error: unknown) => {
      failures.push({ seed, what: String(error) });
      return "thrown";
    });
    slowestMs = Math.max(slowestMs, performance.now() - start);
    if (code === undefined) plugins += 1;
    else codes[code] = (codes[code] ?? 0) + 1;
    if (seed % 500 === 0) highest = Math.max(highest, process.memoryUsage().rss);
  }
  const rssGrowthMb = (Math.max(highest, process.memoryUsage().rss) - before) / 1024 / 1024;
  return { cases: count, plugins, codes, slowestMs, rssGrowthMb, failures };
}

/** The code that a case ends with, undefined for a plugin that fits the model. */
async function endOf(folder: Folder): Promise<string | undefined> {
  const { findings, plugin } = await runAll(folder);
  const [first] = findings;
  if (first === undefined) {
    v.parse(Plugin, plugin);
    return undefined;
  }
  for (const { code, message, at } of findings) {
    if (!Object.hasOwn(errorCodes, code)) throw new Error(`unknown code ${code}`);
    if (message === "" || message.includes("undefined")) throw new Error(`odd message: ${message}`);
    if (at?.line === undefined || at.line < 1) throw new Error(`no line: ${message}`);
  }
  return first.code;
}

function goldenSeeds(): Seed[] {
  return readdirSync(golden)
    .toSorted()
    .flatMap((folder) => {
      const name = names.find((known) => readdirSync(join(golden, folder)).includes(known));
      return name === undefined ? [] : [{ name, text: readFileSync(join(golden, folder, name), "utf8") }];
    });
}

function makeCase(random: Random, seeds: readonly Seed[]): Folder {
  const seed = random.pick(seeds);
  const how = { dev: random.below(2) === 0, strict: random.below(4) === 0 };
  const schemas = { "flights.search": new TextEncoder().encode('{"$defs":{"request":{},"response":{}}}') };
  let bytes: Uint8Array;
  switch (random.below(8)) {
    case 0:
      bytes = new TextEncoder().encode(soup(random, seed.name));
      break;
    case 1:
      bytes = mutateBytes(random, new TextEncoder().encode(seed.text));
      break;
    case 2:
      bytes = new TextEncoder().encode(mutateLines(random, seed.text));
      break;
    case 3:
      bytes = new TextEncoder().encode(JSON.stringify(junk(random, 4)));
      break;
    default:
      bytes = new TextEncoder().encode(mutateValues(random, seed));
  }
  return { manifest: { name: seed.name, bytes }, schemas, ...how };
}

/** Keys, signs and values of the formats in no order. */
function soup(random: Random, name: ManifestName): string {
  const toml = name.endsWith(".toml");
  const words = toml ? tomlWords : jsonWords;
  return Array.from({ length: random.below(120) }, () => random.pick(words)).join(
    random.pick(["", " ", "\n"]),
  );
}

const tomlWords = [
  ..."[ ] [[ ]] { } = , . # \" ' \"\"\" ''' \\ \n \r\n \t 1 -1 1.5 0x1f 1e9 inf nan true false 1979-05-27 07:32:00".split(
    " ",
  ),
  ..."plugin tools requirements canary a b.c name \"q\" 'l' toString constructor __proto__ \\u0041 \\UFFFFFFFF é 🙂".split(
    " ",
  ),
  "\n",
  "a = 1\n",
  "[t]\n",
  "[[l]]\n",
];
const jsonWords = [
  ...'{ } [ ] : , " \\ null true false 1 -0 1.5e3 01 1e999 "a" "plugin" "tools" "\\u0041" "\\ud800" // é 🙂'.split(
    " ",
  ),
  '"plugin_id":"x",',
  '"__proto__":1,',
];

function mutateBytes(random: Random, bytes: Uint8Array): Uint8Array {
  const copy = [...bytes];
  for (let i = random.below(8); i >= 0; i -= 1) {
    const at = random.below(copy.length + 1);
    const kind = random.below(4);
    if (kind === 0) copy.splice(at, random.below(20));
    else if (kind === 1) copy.splice(at, 0, random.below(256));
    else if (kind === 2) copy[at] = random.below(256);
    else copy.splice(at, 0, ...copy.slice(random.below(copy.length + 1)).slice(0, 200));
  }
  return Uint8Array.from(copy.map((byte) => byte ?? 0));
}

function mutateLines(random: Random, text: string): string {
  const lines = text.split("\n");
  for (let i = random.below(6); i >= 0; i -= 1) {
    if (lines.length === 0) break;
    const at = random.below(lines.length);
    const kind = random.below(4);
    if (kind === 0) lines.splice(at, 1);
    else if (kind === 1) lines.splice(at, 0, random.pick(lines));
    else if (kind === 2)
      lines[at] = (lines[at] ?? "").replace(/[^ =:]+$/, () => String(JSON.stringify(junk(random, 2))));
    else lines[at] = random.pick(lines);
  }
  return lines.join("\n");
}

/** The same manifest with some values replaced, removed or added; TOML seeds are changed line by line. */
function mutateValues(random: Random, seed: Seed): string {
  let value: unknown;
  try {
    value = JSON.parse(seed.text);
  } catch {
    return mutateLines(random, seed.text);
  }
  for (let i = random.below(4); i >= 0; i -= 1) value = mutateOne(random, value);
  return JSON.stringify(value, null, random.below(3));
}

function mutateOne(random: Random, value: unknown): unknown {
  if (typeof value !== "object" || value === null || random.below(6) === 0) return junk(random, 3);
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...value };
  const further = Array.isArray(copy) ? String(copy.length) : random.pick(fieldNames);
  const key = random.pick([...Object.keys(copy), further]);
  if (random.below(5) === 0) Reflect.deleteProperty(copy, key);
  else Reflect.set(copy, key, mutateOne(random, Reflect.get(copy, key)));
  return Array.isArray(copy) ? Array.from(copy, (item) => item ?? null) : copy;
}

const fieldNames =
  "name plugin tools requirements canary env args requests handshake capabilities auth_components x-a length __proto__ 0".split(
    " ",
  );

function junk(random: Random, depth: number): unknown {
  const kind = random.below(depth > 0 ? 12 : 9);
  if (kind === 9) return Array.from({ length: random.below(4) }, () => junk(random, depth - 1));
  if (kind > 9) {
    const entries = Array.from({ length: random.below(4) }, () => [
      random.pick(fieldNames),
      junk(random, depth - 1),
    ]);
    return Object.fromEntries(entries);
  }
  return random.pick(scalars);
}

const scalars: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1,
    1.5,
    1e300,
    "",
    " ",
    "a",
    "read",
    "1",
    "..",
    "/",
    "a/../..",
    "x-a",
    "mcp-plugin",
  ],
  ...[
    "\0",
    "\u202e",
    "\ud800",
    `\${data}`,
    "{component:a}",
    "GUM_X",
    "A_TOKEN",
    "constructor",
    "🙂".repeat(40),
  ],
];

/** A small generator with a seed (mulberry32). */
class Random {
  private state: number;

  constructor(seed: number) {
    this.state = Math.imul(seed, 0x9e3779b1) >>> 0;
  }

  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * limit);
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError("nothing to pick from");
    return item;
  }
}
