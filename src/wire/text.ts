// What a plugin wrote is shown to people and agents; nothing in it may move a cursor or hide other text.

/** C0 and C1 controls except tab and newline, line separators, bidirectional marks, zero-width and tag characters. */
const unsafe =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

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
  const point = character.codePointAt(0) ?? 0;
  const hex = point.toString(16);
  return point < 0x100 ? `\\x${hex.padStart(2, "0")}` : `\\u{${hex}}`;
}
