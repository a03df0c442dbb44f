// Writes the generated parts of the tree: blocks of docs/*.md between `<!-- gen:x -->` and `<!-- end:x -->`, and the
// table of embedded schemas. With --check it writes nothing and fails when one is stale.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCodes, exitCodes } from "../base/error-codes.ts";
import { allCommands, type Command } from "../cli/command.ts";
import { globalFlags } from "../cli/flags.ts";
import { routes } from "../cli/routes.ts";
import { flagRow, shownArgument, usageLine } from "../cli/usage.ts";
import { authStrategies } from "../manifest/models/requirements.ts";
import { externalComponents, secretComponents } from "../model/auth-kinds.ts";
import { deniedEnv, secretEndings } from "../model/env-denylist.ts";
import { schemaTableText } from "./schema-table.ts";

const root = join(import.meta.dirname, "../..");

/** Every generated file as it should be, by path below the root. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const blocks = {
    errors: errorBlock(),
    "exit-codes": exitBlock(),
    commands: await commandBlock(),
    ...environmentBlocks(),
    ...authBlocks(),
  };
  const files = new Map<string, string>();
  for (const name of readdirSync(join(root, "docs")).filter((file) => file.endsWith(".md"))) {
    const path = join("docs", name);
    const text = readFileSync(join(root, path), "utf8");
    const filled = fillBlocks(path, text, blocks);
    if (filled !== text || text.includes("<!-- gen:")) files.set(path, filled);
  }
  files.set("src/cli/schema-table.ts", schemaTableText(root));
  return files;
}

/** The text with each block's lines replaced. */
export function fillBlocks(path: string, text: string, blocks: Readonly<Record<string, string>>): string {
  return text.replace(/<!-- gen:([a-z-]+) -->\n[\s\S]*?<!-- end:\1 -->/g, (_, name: string) => {
    const block = blocks[name];
    if (block === undefined) throw new Error(`${path}: there is no generated block "${name}"`);
    return `<!-- gen:${name} -->\n${block}<!-- end:${name} -->`;
  });
}

function errorBlock(): string {
  const rows = Object.entries(errorCodes).map(
    ([code, { exit, title, hint }]) => `| \`${code}\` | ${exitCodes[exit]} | ${title} | ${cell(hint)} |`,
  );
  return ["| code | exit | means | do next |", "|---|---|---|---|", ...rows, ""].join("\n");
}

const exitMeanings = {
  ok: "it worked",
  unexpected: "gum itself failed",
  usage: "the command line, the arguments or a configuration file is wrong",
  refused: "the manifest or the package is refused",
  trust: "refused for trust: executable, files, environment, namespace, signature, sandbox, policy",
  plugin: "the plugin failed",
  quarantined: "the plugin is quarantined; an install that ends so was published all the same",
  configuration: "credentials or configuration are needed",
  rate: "too many calls",
  confirmation: "somebody has to confirm first",
  notFound: "no such plugin, operation, variant or resource",
  registry: "the registry is busy, damaged or newer than this gum",
  hungUp: "its terminal went away (SIGHUP), everything undone",
  interrupted: "interrupted (SIGINT), everything undone",
  quit: "told to quit (SIGQUIT), everything undone",
  terminated: "terminated (SIGTERM), everything undone",
} satisfies Record<keyof typeof exitCodes, string>;

function exitBlock(): string {
  const meanings: Readonly<Record<string, string>> = exitMeanings;
  const rows = Object.entries(exitCodes).map(([name, number]) => {
    const codes = Object.entries(errorCodes).filter(([, { exit }]) => exit === name);
    const listed = codes.map(([code]) => `\`${code}\``).join(" ");
    return `| ${number} | ${meanings[name]} | ${listed} |`;
  });
  return ["| exit | means | codes |", "|---|---|---|", ...rows, ""].join("\n");
}

function environmentBlocks(): Record<string, string> {
  const { prefixes, names } = deniedEnv;
  return {
    "denied-env": table("refused", "which", [
      ["names that begin with", words(prefixes)],
      ["the names", words(names)],
    ]),
    "secret-endings": `${words(secretEndings)}\n`,
  };
}

function authBlocks(): Record<string, string> {
  return {
    "auth-strategies": `${words(authStrategies)}\n`,
    "auth-components": table("kinds", "what happens", [
      [
        words(secretComponents.filter((kind) => kind !== "google_access_token")),
        "`gum plugin setup` asks for them and keeps them",
      ],
      [words(externalComponents), "shown as a checklist; gum cannot complete them"],
    ]),
  };
}

function words(list: readonly string[]): string {
  return list.map((word) => `\`${word}\``).join(" ");
}

function table(left: string, right: string, rows: readonly (readonly [string, string])[]): string {
  const lines = rows.map(([a, b]) => `| ${a} | ${b} |`);
  return [`| ${left} | ${right} |`, "|---|---|", ...lines, ""].join("\n");
}

async function commandBlock(): Promise<string> {
  const commands = await allCommands(routes);
  return [...commands.map(commandSection), globalSection()].join("\n");
}

function commandSection(command: Command): string {
  const { name, summary, examples, args, flags } = command;
  const rows = [
    ...Object.entries(args).map(([word, facts]) => [shownArgument(word, facts), facts.summary] as const),
    ...Object.entries(flags).map(flagRow),
  ].map(([left, right]) => `| \`${cell(left)}\` | ${cell(right)} |`);
  const table = rows.length === 0 ? [] : ["| | |", "|---|---|", ...rows, ""];
  return [
    `### gum ${name}`,
    "",
    summary,
    "",
    `    ${usageLine(command)}`,
    "",
    "```sh",
    ...examples,
    "```",
    "",
    ...table,
  ].join("\n");
}

function globalSection(): string {
  const rows = Object.entries(globalFlags)
    .map(flagRow)
    .map(([left, right]) => `| \`${cell(left)}\` | ${right} |`);
  return ["### Flags of every command", "", "| | |", "|---|---|", ...rows, ""].join("\n");
}

/** A bar would end the cell. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

if (import.meta.main) {
  const check = process.argv.includes("--check");
  let stale = 0;
  for (const [path, text] of await generatedFiles()) {
    if (readFileSync(join(root, path), "utf8") === text) continue;
    stale++;
    if (check) console.error(`${path} is stale: run \`make generate\``);
    else writeFileSync(join(root, path), text);
  }
  if (check && stale > 0) process.exitCode = 1;
}
