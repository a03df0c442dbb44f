// Takes the values that gum handed to a plugin out of whatever the plugin says: as they are, URL-encoded, in base64 at
// each of its three alignments, and escaped as in JSON. A value that was cut at an end of the text counts, too.
import { GumError } from "../base/errors.ts";

export const redacted = "[redacted]";

/** Takes secrets out of text. */
export type Redact = (text: string) => string;

/** Shorter values stand in too many words by chance: they are taken out where they stand alone. */
const leastLength = 4;
/** How much of a cut value must be there to be known again. */
const leastPiece = 8;

/** A redactor of these values; with none it changes nothing. */
export function createRedactor(values: readonly string[]): Redact {
  const forms = [...new Set(values.filter((value) => value !== "").flatMap(formsOf))].toSorted(
    (a, b) => b.length - a.length,
  );
  if (forms.length === 0) return (text) => text;
  const long = forms.filter((form) => form.length >= leastLength);
  const short = forms.filter((form) => form.length < leastLength);
  const patterns = [
    ...(long.length > 0 ? [new RegExp(long.map(patternOf).join("|"), "g")] : []),
    ...(short.length > 0
      ? [new RegExp(`(?<![A-Za-z0-9])(?:${short.map(patternOf).join("|")})(?![A-Za-z0-9])`, "g")]
      : []),
  ];
  return (text) => {
    const whole = patterns.reduce((said, pattern) => said.replace(pattern, redacted), text);
    return long.length > 0 ? withoutPieces(whole, long) : whole;
  };
}

/** The same value with every string in it redacted, keys included; itself when nothing was found. */
export function redactDeep<T>(value: T, redact: Redact): T;
export function redactDeep(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) {
    const next = value.map((child: unknown) => redactDeep(child, redact));
    return next.every((child, index) => child === value[index]) ? value : next;
  }
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value);
  const next = entries.map(([key, child]) => [redact(key), redactDeep(child, redact)] as const);
  const same = next.every(
    ([key, child], index) => key === entries[index]?.[0] && child === entries[index]?.[1],
  );
  return same ? value : Object.fromEntries(next);
}

/** The error without the values: its sentence, hint, details, and whatever caused it. */
export function redactError(error: GumError, redact: Redact): GumError {
  const { at, hint, details, cause, ...rest } = error.info;
  const clean = new GumError(error.code, redact(error.message), {
    ...rest,
    ...(at === undefined ? {} : { at: redactDeep(at, redact) }),
    ...(hint === undefined ? {} : { hint: redact(hint) }),
    ...(details === undefined ? {} : { details: redactDeep(details, redact) }),
    ...(cause === undefined ? {} : { cause: redactCause(cause, redact) }),
  });
  if (error.stack !== undefined) clean.stack = redact(error.stack);
  return clean;
}

function redactCause(cause: unknown, redact: Redact): unknown {
  if (cause instanceof GumError) return redactError(cause, redact);
  if (!(cause instanceof Error)) return redactDeep(cause, redact);
  const clean = new Error(redact(cause.message));
  clean.name = cause.name;
  if (cause.stack !== undefined) clean.stack = redact(cause.stack);
  return "code" in cause ? Object.assign(clean, { code: cause.code }) : clean;
}

/** Every way in which a value may be written. */
function formsOf(value: string): string[] {
  const lines = value.split(/\r?\n/).filter((line) => line.length >= 2 * leastLength);
  const plain = [value, value.trim(), ...lines, value.replace(/\s+/g, " ").trim()].filter(
    (one) => one !== "",
  );
  return [...new Set(plain)].flatMap((one) => [
    one,
    ...urlForms(one),
    ...jsonForms(one),
    ...base64Forms(one),
  ]);
}

function urlForms(text: string): string[] {
  const component = encodeURIComponent(text.toWellFormed());
  const strict = component.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  const all = [component, strict, encodeURI(text.toWellFormed()), strict.replaceAll("%20", "+")];
  return [...all, ...all.map(lowerHex)];
}

function lowerHex(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}

/** As JSON writes it, with other characters than ASCII as they are or as \uXXXX. */
function jsonForms(text: string): string[] {
  const once = inner(text);
  const ascii = once.replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const slashes = once.replaceAll("/", "\\/");
  return [once, ascii, slashes];
}

function inner(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The characters that stand for the value alone when it begins at the first, second or third byte of a group. */
function base64Forms(text: string): string[] {
  const bytes = Buffer.from(text, "utf8");
  const cuts = [0, 1, 2].map((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return padded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const usable = cuts.filter((cut) => cut.length >= leastLength);
  return usable.flatMap((cut) => [cut, cut.replaceAll("+", "-").replaceAll("/", "_")]);
}

/** What is cut off at the end (also before an ellipsis) or at the front of the text, as tails and summaries do. */
function withoutPieces(text: string, forms: readonly string[]): string {
  const parts = text.split("…").map((part) => {
    const cut = Math.max(
      ...forms.map((form) => sharedLength(form, (length) => part.endsWith(form.slice(0, length)))),
    );
    return cut > 0 ? `${part.slice(0, part.length - cut)}${redacted}` : part;
  });
  const said = parts.join("…");
  const cut = Math.max(
    ...forms.map((form) => sharedLength(form, (length) => said.startsWith(form.slice(-length)))),
  );
  return cut > 0 ? `${redacted}${said.slice(cut)}` : said;
}

/** The longest piece of the form, shorter than itself, for which this holds; 0 when none is long enough. */
function sharedLength(form: string, holds: (length: number) => boolean): number {
  for (let length = form.length - 1; length >= leastPiece; length--) if (holds(length)) return length;
  return 0;
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === "object" &&
    value !== null &&
    [Object.prototype, null].includes(Object.getPrototypeOf(value))
  );
}

/** JSON inside of JSON doubles every backslash, so that a run of them stands for a run of any length. */
function patternOf(form: string): string {
  return form.replace(/\\+|[.*+?^${}()|[\]]/g, (mark) => (mark.startsWith("\\") ? "\\\\+" : `\\${mark}`));
}
