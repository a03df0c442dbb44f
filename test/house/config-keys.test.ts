import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type ConfigKeyFacts, configKeys } from "../../src/model/config-keys.ts";

const source = resolve(import.meta.dir, "../../src");

/** They govern how ES-module plugins run, which no wire does yet. */
const withoutReader = [
  "plugins.strict_capabilities",
  "plugins.strict_tools",
  "plugins.schema_path",
  "plugins.allow_native",
  "plugins.allow_runtime_deps",
];

test("W26 every configuration key is read somewhere besides the table", () => {
  const texts = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith("config-keys.ts"))
    .map((name) => readFileSync(join(source, name), "utf8"));
  const table: Readonly<Record<string, ConfigKeyFacts>> = configKeys;
  const unread = Object.entries(table)
    .filter(([key, { env }]) => {
      const reads = [`["${key}"]`, ...(env === undefined ? [] : [`env.${env}`])];
      return !texts.some((text) => reads.some((read) => text.includes(read)));
    })
    .map(([key]) => key);
  expect(unread.toSorted()).toEqual(withoutReader.toSorted());
});
