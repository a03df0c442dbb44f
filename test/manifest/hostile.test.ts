import { expect, test } from "bun:test";
import type { ManifestName } from "../../src/model/document.ts";
import { manifest, runAll } from "./run-all.ts";
import { esm, flat, nested } from "./samples.ts";

const size = 1_000_000;
const json = (sample: unknown, changes: Record<string, unknown>) =>
  JSON.stringify({ ...Object(sample), ...changes });
const tool = Object(nested()).tools[0];

/** Manifests of a megabyte that aim at slow patterns, deep stacks and memory. */
const attacks: Record<string, readonly [ManifestName, () => string]> = {
  "a name of digits": ["manifest.json", () => json(flat(), { executable: "1".repeat(size) })],
  "a range of signs": ["mcp-plugin.json", () => json(esm(), { engines: { node: ">".repeat(size) } })],
  "an owner of labels": [
    "manifest.json",
    () => json(flat(), { namespace_owner: `${"a.".repeat(size / 2)}!` }),
  ],
  "a path of dots": ["manifest.json", () => json(flat(), { executable: "./".repeat(size / 2) })],
  "spaces in a command": [
    "manifest.json",
    () => json(nested(), { plugin: { ...Object(nested()).plugin, command: " a".repeat(size / 2) } }),
  ],
  "half a million numbers for tools": [
    "manifest.json",
    () => json(flat(), { advertised_tools: Array(size / 2 - 1000).fill(0) }),
  ],
  "scopes of numbers": [
    "manifest.json",
    () => json(nested(), { tools: Array(100).fill({ ...tool, scopes: Array(4000).fill(0) }) }),
  ],
  "many unknown keys": [
    "manifest.json",
    () => json(flat(), Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`executabl${i}`, 0]))),
  ],
  "many hidden characters": ["manifest.json", () => json(flat(), { keywords: Array(90_000).fill("\u202e") })],
  "placeholders without end": ["manifest.json", () => json(flat(), { args: ["${".repeat(size / 2)] })],
  "an array without end": ["manifest.json", () => "[".repeat(size)],
  "empty arrays in JSON": ["manifest.json", () => `{"x-a":[${"[],".repeat(size / 3 - 10)}[]]}`],
  "a TOML array without end": ["manifest.toml", () => `a = ${"[".repeat(size)}`],
  "numbers in a TOML array": ["manifest.toml", () => `a = [${"1,".repeat(size / 2 - 10)}1]`],
  "many TOML tables": ["manifest.toml", () => Array.from({ length: 80_000 }, (_, i) => `[t${i}]\n`).join("")],
  "many TOML lists": ["manifest.toml", () => "[[tools]]\n".repeat(size / 10)],
  "a TOML key of many dots": ["manifest.toml", () => `${"a.".repeat(size / 2 - 10)}a = 1`],
  "a TOML header of many dots": ["manifest.toml", () => `[${"a.".repeat(size / 2 - 10)}a]`],
  "a TOML text of quotes": ["manifest.toml", () => `a = """${'""\\"'.repeat(size / 4 - 10)}"""`],
  "many TOML lines with a fault at the end": [
    "manifest.toml",
    () => `${"# comment\n".repeat(size / 10 - 10)}a = `,
  ],
  "dates without end": ["manifest.toml", () => `a = [${"2020-01-01,".repeat(size / 11 - 10)}2020-99-01]`],
};

for (const [name, [file, make]] of Object.entries(attacks)) {
  test(`M2 a manifest with ${name} is answered within two seconds`, async () => {
    const folder = manifest(file, make());
    const before = process.memoryUsage().rss;
    const start = performance.now();
    const { findings, plugin } = await runAll(folder);
    const ms = performance.now() - start;
    expect(findings.length > 0 || plugin !== undefined).toBe(true);
    expect(findings.length).toBeLessThanOrEqual(1500);
    expect(ms).toBeLessThan(2000);
    expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(300);
  }, 10_000);
}
