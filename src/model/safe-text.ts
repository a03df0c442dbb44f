// Text from a plugin is data (T29). What a reader cannot see, or what moves a terminal's cursor, is refused in
// manifests and stripped before a terminal shows it. Joiners (U+200C, U+200D), direction marks (U+200E, U+200F)
// and U+FE0F stay, since ordinary writing needs them.

interface UnsafeRange {
  readonly first: number;
  readonly last: number;
  readonly kind: string;
}

const control = "control character";
const bidi = "bidirectional override";
const invisible = "invisible character";

export const unsafeRanges: readonly UnsafeRange[] = [
  { first: 0x00, last: 0x08, kind: control },
  { first: 0x0b, last: 0x0c, kind: control },
  { first: 0x0e, last: 0x1f, kind: control },
  { first: 0x7f, last: 0x9f, kind: control },
  { first: 0x200b, last: 0x200b, kind: invisible },
  { first: 0x202a, last: 0x202e, kind: bidi },
  { first: 0x2060, last: 0x2064, kind: invisible },
  { first: 0x2066, last: 0x2069, kind: bidi },
  { first: 0x206a, last: 0x206f, kind: invisible },
  { first: 0xd800, last: 0xdfff, kind: "lone surrogate" },
  { first: 0xfeff, last: 0xfeff, kind: invisible },
  { first: 0xfff9, last: 0xfffb, kind: invisible },
  { first: 0xe0000, last: 0xe007f, kind: "invisible tag" },
  { first: 0xe0100, last: 0xe01ef, kind: "invisible variation selector" },
];

export interface UnsafeCharacter {
  /** Offset in UTF-16 units. */
  readonly index: number;
  /** Such as `U+202E`. */
  readonly name: string;
  /** What it is, such as `bidirectional override`. */
  readonly kind: string;
}

const hex = (code: number) => `\\u{${code.toString(16)}}`;
const unsafe = unsafeRanges.map(({ first, last }) => `${hex(first)}-${hex(last)}`).join("");
const oneUnsafe = new RegExp(`[${unsafe}]`, "u");
const everyUnsafe = new RegExp(`[${unsafe}]`, "gu");

/** The first character that names and descriptions may not hold, or undefined. */
export function findUnsafe(text: string): UnsafeCharacter | undefined {
  const index = text.search(oneUnsafe);
  if (index < 0) return undefined;
  const code = text.codePointAt(index) ?? 0;
  const kind = unsafeRanges.find(({ first, last }) => code >= first && code <= last)?.kind ?? control;
  return { index, name: `U+${code.toString(16).toUpperCase().padStart(4, "0")}`, kind };
}

// CSI, OSC and the other string sequences with their ends, then two-character escapes. An unfinished string
// sequence is not taken as a whole: it would let a plugin swallow everything that follows it.
const escapes = new RegExp(
  [
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]`,
    String.raw`(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0080-\u009f]*(?:\u0007|\u001b\\|\u009c)`,
    String.raw`\u001b[ -/]*[0-Z\\^-~]`,
  ].join("|"),
  "g",
);

/** The text without escape sequences and unsafe characters; a carriage return ends a line, it never rewrites one. */
export function stripUnsafe(text: string): string {
  return text.replace(escapes, "").replace(everyUnsafe, "").replace(/\r\n?/g, "\n");
}
