/** One command of a story and what must come of it. */
export interface Command {
  readonly kind: "run";
  readonly line: number;
  readonly text: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly stdin: string[];
  readonly stdout: string[];
  readonly stderr: string[];
  exit: number;
}

export interface WriteFile {
  readonly kind: "file";
  readonly line: number;
  readonly path: string;
  readonly executable: boolean;
  readonly lines: string[];
}

/** A directive that is one word and its arguments. */
export interface Directive {
  readonly kind: "copy" | "replace" | "exists" | "absent" | "contains" | "keep" | "unchanged";
  readonly line: number;
  readonly args: readonly string[];
}

export type Action = Command | WriteFile | Directive;

export interface Story {
  readonly title: string;
  readonly actions: readonly Action[];
}

const argumentCounts: Readonly<Record<Directive["kind"], number>> = {
  copy: 2,
  replace: 3,
  exists: 1,
  absent: 1,
  contains: 2,
  keep: 1,
  unchanged: 1,
};

/** Reads a story. A line that is not understood is an error with its number, never passed over. */
export function readStory(text: string): Story {
  const [first = "", ...rest] = text.split("\n");
  if (!/^# \S/.test(first)) throw new Error('1: a story starts with its title, "# A sentence"');
  const actions: Action[] = [];
  for (const [index, line] of rest.entries()) {
    const number = index + 2;
    if (line === "" || line.startsWith("#")) continue;
    if (!continueAction(actions.at(-1), line)) actions.push(startAction(line, number));
  }
  return { title: first.slice(2), actions };
}

/** Adds a line to the action before it; false when the line starts one of its own. */
function continueAction(action: Action | undefined, line: string): boolean {
  if (action?.kind === "file" && /^\|(?: |$)/.test(line)) {
    action.lines.push(line.slice(2));
    return true;
  }
  if (action?.kind !== "run") return false;
  const exit = /^exit (\d+)$/.exec(line)?.[1];
  if (exit !== undefined) action.exit = Number(exit);
  else if (/^<(?: |$)/.test(line)) action.stdin.push(line.slice(2));
  else if (/^>(?: |$)/.test(line)) action.stdout.push(line.slice(2));
  else if (/^2>(?: |$)/.test(line)) action.stderr.push(line.slice(3));
  else return false;
  return true;
}

function startAction(line: string, number: number): Action {
  if (line.startsWith("$ ")) return readCommand(line.slice(2), number);
  const words = splitWords(line, number);
  const negated = words[0] === "!";
  const [verb = "", ...args] = negated ? words.slice(1) : words;
  if (verb === "file" && !negated) return readFileHead(args, number);
  const kind = negated ? (verb === "exists" ? "absent" : "") : verb;
  if (!isDirective(kind) || argumentCounts[kind] !== args.length)
    throw new Error(`${number}: not understood: ${line}`);
  return { kind, line: number, args };
}

function readCommand(text: string, number: number): Command {
  const words = splitWords(text, number);
  const start = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  if (words[start] !== "gum") throw new Error(`${number}: a story runs gum and nothing else`);
  const env = Object.fromEntries(
    words
      .slice(0, start)
      .map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]),
  );
  const args = words.slice(start + 1);
  return { kind: "run", line: number, text, env, args, stdin: [], stdout: [], stderr: [], exit: 0 };
}

function readFileHead([path = "", mode, ...more]: readonly string[], number: number): WriteFile {
  if (path === "" || more.length > 0 || (mode !== undefined && mode !== "+x"))
    throw new Error(`${number}: not understood: "file path" or "file path +x"`);
  return { kind: "file", line: number, path, executable: mode === "+x", lines: [] };
}

function isDirective(kind: string): kind is Directive["kind"] {
  return kind in argumentCounts;
}

/** Splits at blanks; single and double quotes keep what is inside together and have no other meaning. */
function splitWords(text: string, number: number): string[] {
  const words: string[] = [];
  const pattern = /\s*((?:[^\s'"]|'[^']*'|"[^"]*")+)|\s*$|(.)/g;
  for (const [, word, stray] of text.matchAll(pattern)) {
    if (stray !== undefined) throw new Error(`${number}: a quote is not closed`);
    if (word !== undefined) words.push(word.replace(/'([^']*)'|"([^"]*)"/g, (_, one, two) => one ?? two));
  }
  return words;
}
