import { ReadFault } from "./read-fault.ts";

const bare = /[A-Za-z0-9_-]+/y;
const escapes: Readonly<Record<string, string>> = {
  b: "\b",
  t: "\t",
  n: "\n",
  f: "\f",
  r: "\r",
  '"': '"',
  "\\": "\\",
};

/** The offset behind the bare key that begins at `at`. */
export function bareKey(text: string, at: number): number {
  bare.lastIndex = at;
  const found = bare.exec(text)?.[0];
  if (found === undefined) throw new ReadFault("expected a key", at);
  return at + found.length;
}

/** The offset behind the quoted string that begins at `at`; `"""` and `'''` only where several lines are allowed. */
export function stringEnd(text: string, at: number, lines: boolean): number {
  const quote = text[at] ?? "";
  if (lines && text.startsWith(quote.repeat(3), at)) return longStringEnd(text, at, quote);
  for (let i = at + 1; i < text.length; i += 1) {
    const next = text[i];
    if (next === quote) return i + 1;
    if (next === "\n") break;
    if (next === "\\" && quote === '"') i += 1;
  }
  throw new ReadFault("a text in quotes has no end on its line", at);
}

function longStringEnd(text: string, at: number, quote: string): number {
  for (let i = at + 3; i < text.length; i += 1) {
    if (text[i] === "\\" && quote === '"') i += 1;
    else if (text.startsWith(quote.repeat(3), i)) {
      // Up to two quotes may stand directly before the closing three.
      let end = i + 3;
      while (end < i + 5 && text[end] === quote) end += 1;
      return end;
    }
  }
  throw new ReadFault("a text in triple quotes has no end", at);
}

/** What a basic string (with its quotes) stands for. */
export function decodeBasic(written: string, at: number): string {
  return written.slice(1, -1).replace(/\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)/gs, (_, name: string) => {
    const plain = Object.hasOwn(escapes, name) ? escapes[name] : undefined;
    if (plain !== undefined) return plain;
    const code = name.length > 1 ? Number.parseInt(name.slice(1), 16) : Number.NaN;
    if (!(code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff))
      throw new ReadFault("unknown escape in a key", at);
    return String.fromCodePoint(code);
  });
}
