import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { matches } from "./match.ts";
import { createScratch, gumBinary, type Scratch } from "./scratch.ts";
import type { Command, Directive, Story, WriteFile } from "./story.ts";
import { snapshotTree } from "./tree.ts";

const commandTimeoutMs = 30_000;

/** Plays a story in a place of its own; throws, with the line, at the first thing that is not as written. */
export async function playStory(story: Story): Promise<void> {
  const scratch = createScratch();
  const kept = new Map<string, Record<string, string>>();
  try {
    for (const action of story.actions) {
      if (action.kind === "run") await runCommand(action, scratch);
      else if (action.kind === "file") writeLines(action, scratch);
      else follow(action, scratch, kept);
    }
  } finally {
    scratch.remove();
  }
}

async function runCommand(command: Command, scratch: Scratch): Promise<void> {
  const child = Bun.spawn([gumBinary, ...command.args.map((word) => expand(word, scratch))], {
    cwd: scratch.work,
    env: { ...scratch.env, ...mapValues(command.env, (value) => expand(value, scratch)) },
    stdin: new Blob(command.stdin.map((line) => `${line}\n`)),
    stdout: "pipe",
    stderr: "pipe",
    timeout: commandTimeoutMs,
    killSignal: "SIGKILL",
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  const stdout = shorten(out, scratch);
  const stderr = shorten(err, scratch);
  const faults = [
    ...(code === command.exit ? [] : [`exit code is ${code}, not ${command.exit}`]),
    ...(matches(command.stdout, stdout) ? [] : [`stdout is not\n${indent(command.stdout.join("\n"))}`]),
    ...(matches(command.stderr, stderr) ? [] : [`stderr is not\n${indent(command.stderr.join("\n"))}`]),
  ];
  if (faults.length === 0) return;
  const got = `stdout:\n${indent(stdout)}\nstderr:\n${indent(stderr)}\nexit ${code}`;
  throw new Error(`line ${command.line}: $ ${command.text}\n${faults.join("\n")}\n-- got --\n${got}`);
}

function writeLines({ path, lines, executable }: WriteFile, scratch: Scratch): void {
  const target = placeOf(path, scratch);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, lines.map((line) => `${line}\n`).join(""));
  if (executable) chmodSync(target, 0o755);
}

function follow(
  { kind, line, args }: Directive,
  scratch: Scratch,
  kept: Map<string, Record<string, string>>,
): void {
  const [first = "", second = "", third = ""] = args;
  const target = placeOf(kind === "copy" ? second : first, scratch);
  const demand = (holds: boolean, what: string): void => {
    if (!holds) throw new Error(`line ${line}: ${what}`);
  };
  if (kind === "exists") demand(existsSync(target), `${first} is not there`);
  else if (kind === "absent") demand(!existsSync(target), `${first} is there`);
  else if (kind === "contains")
    demand(readFileSync(target, "utf8").includes(second), `${first} does not hold ${second}`);
  else if (kind === "copy") cpSync(resolve(first), target, { recursive: true });
  else if (kind === "replace") replaceOnce(target, second, expand(third, scratch), demand);
  else if (kind === "keep") kept.set(target, snapshotTree(target));
  else {
    const changes = difference(kept.get(target), snapshotTree(target));
    demand(changes.length === 0, `${first} has changed:\n${indent(changes.join("\n"))}`);
  }
}

function replaceOnce(
  path: string,
  old: string,
  text: string,
  demand: (holds: boolean, what: string) => void,
): void {
  const [before, after, ...more] = readFileSync(path, "utf8").split(old.replaceAll("\\n", "\n"));
  demand(after !== undefined && more.length === 0, `the text must stand exactly once: ${old}`);
  writeFileSync(path, `${before}${text.replaceAll("\\n", "\n")}${after}`);
}

/** What differs between two snapshots, one line per entry. */
export function difference(
  before: Readonly<Record<string, string>> | undefined,
  after: Readonly<Record<string, string>>,
): string[] {
  if (before === undefined) return ['there was no "keep" for it'];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return names
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name}: ${before[name] ?? "absent"} → ${after[name] ?? "absent"}`);
}

const tokens = (scratch: Scratch): readonly (readonly [string, string])[] => [
  ["$WORK", scratch.work],
  ["$DATA", scratch.data],
  ["$CONFIG", scratch.config],
  ["$HOME", scratch.home],
  ["$ROOT", scratch.root],
];

function expand(text: string, scratch: Scratch): string {
  return tokens(scratch).reduce((said, [token, path]) => said.replaceAll(token, path), text);
}

function shorten(text: string, scratch: Scratch): string {
  return tokens(scratch).reduce((said, [token, path]) => said.replaceAll(path, token), text);
}

function placeOf(path: string, scratch: Scratch): string {
  return resolve(scratch.work, expand(path, scratch));
}

function indent(text: string): string {
  return text.replace(/^/gm, "    ");
}

function mapValues(
  record: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
