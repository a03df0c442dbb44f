import type { Argument, Command, Group, Load, Routes } from "./command.ts";
import { type Flag, globalFlags, shortFlags } from "./flags.ts";
import { shownName } from "./parse.ts";

type Row = readonly [left: string, right: string];

/** Help of one command: what it does, how it is written, examples, arguments and flags. */
export function commandHelp(command: Command): string {
  const { summary, examples, args, flags } = command;
  const globals = Object.entries(globalFlags).filter(([name]) => !Object.hasOwn(flags, name));
  return join([
    summary,
    section("Usage", [usageLine(command)]),
    section("Examples", examples),
    section(
      "Arguments",
      columns(Object.entries(args).map(([name, arg]) => [shownArgument(name, arg), arg.summary])),
    ),
    section("Flags", columns(Object.entries(flags).map(flagRow))),
    section("Flags of every command", columns(globals.map(flagRow))),
  ]);
}

/** `gum plugin install <source> [flags]` */
export function usageLine({ name, args }: Command): string {
  const words = Object.entries(args).map(([argument, facts]) => shownArgument(argument, facts));
  return ["gum", name, ...words, "[flags]"].join(" ");
}

/** Help of a group: its commands. */
export async function groupHelp(name: string, group: Group): Promise<string> {
  return join([
    group.summary,
    section("Usage", [`gum ${name} <command> [flags]`]),
    section("Commands", columns(await verbRows(group))),
    `Run \`gum ${name} <command> --help\` for the flags and an example of each.`,
  ]);
}

/** What `gum` says when it is given nothing to do. */
export async function overview(routes: Routes): Promise<string> {
  const groups: string[] = [];
  const single: Row[] = [];
  for (const [name, route] of Object.entries(routes)) {
    if (typeof route === "function") single.push(await row(name, route));
    else groups.push(section(route.summary, columns(await verbRows(route, name))));
  }
  return join([
    "gum hosts plugins for MCP: it installs them, confines them, and calls their tools.",
    section("Usage", ["gum <command> [flags]"]),
    ...groups,
    section("Housekeeping", columns(single)),
    "Run `gum <command> --help` for the flags and an example of each, `gum help` for the topics.",
  ]);
}

function verbRows({ verbs }: Group, name?: string): Promise<Row[]> {
  const rows = Object.entries(verbs).map(([verb, load]) =>
    row(name === undefined ? verb : `${name} ${verb}`, load),
  );
  return Promise.all(rows);
}

async function row(name: string, load: Load): Promise<Row> {
  return [name, (await load()).summary];
}

/** `<name>`, `[name]`, `[name…]`, or the words that it may be. */
export function shownArgument(name: string, { take, choices }: Argument): string {
  const word = choices === undefined ? name : choices.join("|");
  if (take === "rest") return `[${word}…]`;
  return take === "optional" ? `[${word}]` : `<${word}>`;
}

/** A flag as it is written, with its value, and what it does. */
export function flagRow([name, flag]: readonly [string, Flag]): Row {
  const short = Object.entries(shortFlags).find(([, long]) => long === name)?.[0];
  return [
    `${short === undefined ? "" : `-${short}, `}${shownName(name, flag)}${shownValue(flag)}`,
    flag.summary,
  ];
}

function shownValue(flag: Flag): string {
  if (flag.kind === "text") return ` <${flag.value}>`;
  if (flag.kind === "duration") return " <time>";
  if (flag.kind === "whole") return " <number>";
  if (flag.kind !== "choice") return "";
  return flag.bare === undefined ? ` ${flag.choices.join("|")}` : `[=${flag.choices.join("|")}]`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0
    ? ""
    : [`${title.replace(/\.$/, "")}:`, ...lines.map((line) => `  ${line}`)].join("\n");
}

function columns(rows: readonly Row[]): string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`);
}

function join(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}
