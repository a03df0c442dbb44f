import { usage } from "./parse.ts";

/** Words in one text, split as a shell splits them: at blanks, with '…', "…" and \ to keep one; nothing else is read. */
export function splitWords(command: string, text: string): string[] {
  const words: string[] = [];
  let rest = text.trim();
  while (rest !== "") {
    const found = /^(?:[^\s'"\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+/.exec(rest)?.[0];
    if (found === undefined) throw usage(command, `A quote in ${JSON.stringify(text)} does not end`);
    const end = rest.slice(found.length);
    if (end !== "" && !/^\s/.test(end))
      throw usage(command, `A quote in ${JSON.stringify(text)} does not end`);
    words.push(unquoted(found));
    rest = end.trimStart();
  }
  return words;
}

function unquoted(word: string): string {
  return word.replace(
    /\\([\s\S])|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"/g,
    (_, escaped?: string, single?: string, double?: string) =>
      escaped ?? single ?? (double ?? "").replace(/\\(["\\])/g, "$1"),
  );
}
