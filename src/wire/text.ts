// What a plugin wrote is shown to people and agents; nothing in it may move a cursor or hide other text.

/** Controls, invisible and direction characters, line separators, lone surrogates. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** The text with every control and invisible character written as an escape such as `\x1b` or `\u{202e}`. */
export function escapeControls(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(unsafe, escapeOne);
}

/** The first `limit` characters, with an ellipsis in place of the last when something was cut. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const characters = [...text.slice(0, limit * 2)];
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join("")}…`;
}

/** One line, safe to show and at most `limit` characters long. */
export function oneLine(text: string, limit: number): string {
  return cut(escapeControls(text.trim()).replace(/[\n\t]+/g, " "), limit);
}

function escapeOne(character: string): string {
  if (character === "\n" || character === "\t") return character;
  const point = character.codePointAt(0) ?? 0;
  const hex = point.toString(16);
  return point < 0x100 ? `\\x${hex.padStart(2, "0")}` : `\\u{${hex}}`;
}
