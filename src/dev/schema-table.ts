import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The source of src/cli/schema-table.ts: one line per file in schemas/. */
export function schemaTableText(root: string): string {
  const folder = join(root, "schemas");
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  const lines = files
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.replaceAll("\\", "/"))
    .sort()
    .map(entryOf);
  return `// Written by src/dev/docs.ts from the files in schemas/; not to be edited.

/** Every published schema by name, loaded when it is asked for. */
export const schemaTable: Readonly<Record<string, () => Promise<{ readonly default: unknown }>>> = {${
    lines.length === 0 ? "" : `\n${lines.join("")}`
  }};
`;
}

const lineWidth = 110;

/** One entry, broken where the formatter would break it. */
function entryOf(file: string): string {
  const load = `import("../../schemas/${file}", { with: { type: "json" } }),`;
  const line = `  ${keyOf(file)}: () => ${load}`;
  return line.length <= lineWidth ? `${line}\n` : `  ${keyOf(file)}: () =>\n    ${load}\n`;
}

/** The name in `gum schema <name>`: the path without its ending; quoted where the formatter would. */
function keyOf(file: string): string {
  const name = file.replace(/(\.schema)?\.json$/, "");
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}
