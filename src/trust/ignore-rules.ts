// What `gum plugin pack` leaves out. A line of .gumignore is a name (`*.log`, at any depth) or, when it holds a slash, a
// path from the top (`/build`, `docs/drafts`); `*` and `?` stay within one name, `**` is any number of folders. A
// folder that is left out takes everything in it along. Lines that start with # are remarks.
import { GumError } from "../base/errors.ts";

export const ignoreFile = ".gumignore";
/** Never part of a package. */
export const alwaysIgnored: readonly string[] = [".git", ".DS_Store", ignoreFile];

/** Tells whether a path, relative to the plugin's folder, is left out. */
export type Ignores = (path: string) => boolean;

/** The rules of a .gumignore together with what is always left out. */
export function ignoreRules(text: string): Ignores {
  const patterns = text
    .split(/\r?\n/)
    .flatMap((line, index) => patternOf(line.trim(), index + 1, text) ?? []);
  return (path) => alwaysIgnored.includes(nameOf(path)) || patterns.some((pattern) => pattern.test(path));
}

function patternOf(line: string, number: number, text: string): RegExp | undefined {
  if (line === "" || line.startsWith("#")) return undefined;
  if (line.startsWith("!") || /[[\]\\]/.test(line)) {
    throw new GumError("USAGE", `The line "${line.slice(0, 80)}" of ${ignoreFile} is not understood.`, {
      at: { file: ignoreFile, line: number, column: 1, text: text.split(/\r?\n/)[number - 1] },
      hint: "write a name or a path; *, ? and ** stand for parts of it, and nothing else is special",
    });
  }
  const path = line.replace(/\/+$/, "");
  const anchored = path.includes("/");
  const body = path
    .replace(/^\/+/, "")
    .split("/")
    .map((part) =>
      part === "**" ? "**" : part.replace(/[.+^${}()|*?]/g, (sign) => signs[sign] ?? `\\${sign}`),
    )
    .join("/")
    .replaceAll("**/", "(?:[^/]+/)*")
    .replaceAll("**", ".*");
  return new RegExp(`^${anchored ? "" : "(?:.*/)?"}${body}$`, "u");
}

const signs: Readonly<Record<string, string>> = { "*": "[^/]*", "?": "[^/]" };

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
