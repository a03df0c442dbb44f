// Reads TypeScript just well enough to see its imports and its words: comments gone, texts of strings told apart.
import { Glob } from "bun";

export interface SourceFile {
  /** Relative to src/, such as `pipeline/load.ts`. */
  readonly path: string;
  readonly text: string;
  /** The text with every comment blanked; strings stay. */
  readonly code: string;
  /** The text with comments and the insides of strings blanked. */
  readonly bare: string;
}

export interface Import {
  readonly specifier: string;
  readonly line: number;
  /** Erased by the compiler: `import type`. */
  readonly typeOnly: boolean;
  /** Loaded when it is asked for: `import("…")`. */
  readonly lazy: boolean;
}

/** Every TypeScript file below a folder of the project, sorted by path. */
export async function readSources(folder: string): Promise<SourceFile[]> {
  const paths = [...new Glob("**/*.ts").scanSync(folder)].toSorted();
  return Promise.all(paths.map(async (path) => sourceOf(path, await Bun.file(`${folder}/${path}`).text())));
}

/** One text as these tests see it. */
export function sourceOf(path: string, text: string): SourceFile {
  return { path, text, code: blank(text, "comments"), bare: blank(text, "comments and strings") };
}

/** Static and dynamic imports and re-exports whose specifier is a literal. */
export function importsOf(code: string): Import[] {
  const found: Import[] = [];
  const patterns = [
    { pattern: /\b(?:import|export)(\s+type\b)?(?:[\w\s{},*$]*?)\bfrom\s*"([^"]+)"/g, lazy: false },
    { pattern: /\bimport()\s*"([^"]+)"/g, lazy: false },
    { pattern: /\bimport()\s*\(\s*"([^"]+)"/g, lazy: true },
  ];
  for (const { pattern, lazy } of patterns) {
    for (const match of code.matchAll(pattern)) {
      const [, type = "", specifier = ""] = match;
      found.push({ specifier, line: lineAt(code, match.index), typeOnly: type !== "", lazy });
    }
  }
  return found;
}

/** The line, from 1, that holds this offset. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

// Comments, strings and regular expressions, in the order in which they must be tried.
const token =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?<=[(,=:[!&|?{};+]\s*|\breturn\s+)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y;

/** Blanks as asked. A template is text with code in `${…}`, which may hold templates again: hence the two functions. */
function blank(text: string, what: "comments" | "comments and strings"): string {
  let out = "";
  let at = 0;
  const keepText = what === "comments";

  function readCode(end: string): void {
    for (let depth = 0; at < text.length; ) {
      token.lastIndex = at;
      const found = token.exec(text)?.[0];
      const char = text[at] ?? "";
      if (found !== undefined) {
        out += blankToken(found, keepText);
        at += found.length;
        continue;
      }
      if (char === end && depth === 0) return;
      if (char === "{") depth += 1;
      if (char === "}") depth -= 1;
      out += char;
      at += 1;
      if (char === "`") readTemplate();
    }
  }

  function readTemplate(): void {
    while (at < text.length) {
      const two = text.slice(at, at + 2);
      if (two.startsWith("`")) {
        out += "`";
        at += 1;
        return;
      }
      const taken = two === "${" || two.startsWith("\\") ? two : two.slice(0, 1);
      out += keepText || two === "${" ? taken : spaces(taken);
      at += taken.length;
      if (two === "${") readCode("}");
    }
  }

  readCode("");
  return out;
}

function blankToken(found: string, keepText: boolean): string {
  if (found.startsWith("/*") || found.startsWith("//")) return spaces(found);
  return keepText ? found : found[0] + spaces(found.slice(1, -1)) + found.at(-1);
}

function spaces(text: string): string {
  return text.replace(/[^\n]/g, " ");
}
