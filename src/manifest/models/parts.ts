// Building blocks of the manifest models. A message is what follows the field's path in a finding:
// "advertised_tools[0].risk_class" + " " + "must be read, write or destructive, not \"raed\"".
import * as v from "valibot";
import { didYouMean } from "../../base/suggest.ts";

/** A value as it may be shown in a sentence: short, on one line. */
export function show(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}…` : value);
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** `a, b or c`. */
export function orList(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

export const Text = v.string(kindMessage("text"));
export const Flag = v.boolean(kindMessage("true or false"));
export const NonEmpty = v.pipe(Text, v.regex(/\S/, "must not be empty"));
export const Texts = v.array(Text, kindMessage("a list"));

/** Text of a form; `rule` says it in words. */
export function matching(form: RegExp, rule: string) {
  return v.pipe(
    Text,
    v.regex(form, (issue) => `must be ${rule}, not ${show(issue.input)}`),
  );
}

/** One of a closed set, with the nearest one suggested. */
export function oneOf<const T extends readonly [string, ...string[]]>(options: T) {
  return v.picklist(options, (issue) => {
    const near = typeof issue.input === "string" ? didYouMean(issue.input, options) : "";
    return `must be ${orList(options)}, not ${show(issue.input)}${near}`;
  });
}

/** One of a set that anybody may extend by names with `x-`; the nearest one is suggested. */
export function oneOrPrivate(names: readonly string[], rule = `one of ${names.join(", ")}`) {
  return v.pipe(
    Text,
    v.regex(
      new RegExp(`^(?:${names.join("|")}|x-.+)$`),
      (issue) => `must be ${rule}, not ${show(issue.input)}${didYouMean(issue.input, names)}`,
    ),
  );
}

/** An object with these fields. Others are reported by the check for unknown fields. */
export function table<const T extends v.ObjectEntries>(entries: T) {
  return v.object(entries, tableMessage);
}

/** An object with these fields, and any others. */
export function openTable<const T extends v.ObjectEntries>(entries: T) {
  return v.looseObject(entries, tableMessage);
}

/** A list of at most `most` and at least `least` items. */
export function listOf<const T extends v.GenericSchema>(item: T, least: number, most = 1000) {
  return v.pipe(
    v.array(item, kindMessage("a list")),
    v.minLength(least, `must have at least ${least === 1 ? "one entry" : `${least} entries`}`),
    v.maxLength(most, `must have at most ${most} entries`),
  );
}

/** A map from names of this form to values. */
export function mapOf<const K extends v.GenericSchema<string, string>, const V extends v.GenericSchema>(
  key: K,
  value: V,
) {
  return v.record(key, value, kindMessage("an object"));
}

/** An integer between two bounds. */
export function integer(least: number, most: number) {
  const rule = `must be a whole number from ${least} to ${most}`;
  return v.pipe(v.number(rule), v.integer(rule), v.minValue(least, rule), v.maxValue(most, rule));
}

/** The same with words that editors show and the docs use. */
export function about<const T extends v.GenericSchema>(schema: T, words: string) {
  return v.pipe(schema, v.description(words));
}

function kindMessage(kind: string) {
  return (issue: v.BaseIssue<unknown>) => `must be ${kind}, not ${show(issue.input)}`;
}

function tableMessage(issue: v.BaseIssue<unknown>): string {
  return issue.expected === "Object" ? `must be an object, not ${show(issue.input)}` : "is missing";
}

export const EnvName = matching(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, "the name of an environment variable");
export const Milliseconds = integer(1, 3_600_000);
export const PluginId = matching(
  /^[a-z][a-z0-9-]{0,63}$/,
  "a lower-case letter and up to 63 of a-z, 0-9 and -",
);
export const ToolName = matching(
  /^[A-Za-z0-9_][A-Za-z0-9_./-]{0,127}$/,
  "1 to 128 of A-Z, a-z, 0-9, _, ., / and -, beginning with a letter, digit or _",
);

/** Reverse DNS with at least one dot, or a name in a package registry. */
export const ownerForm =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+|pypi:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|npm:(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~_-][a-z0-9._~-]*|github:[A-Za-z0-9-]+\/[A-Za-z0-9._-]+)$/;
export const NamespaceOwner = about(
  matching(ownerForm, "a reverse-DNS name or pypi:name, npm:@scope/name, github:owner/repo"),
  "Who owns the plugin's names: io.example.flights, pypi:name, npm:@scope/name or github:owner/repo.",
);

/** A path below the folder: no leading slash, no `..`, no backslash. */
export const InnerPath = matching(
  /^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))[^\\]+$/,
  "a path inside the plugin's folder",
);
/** The same, or empty. */
export const WritePath = matching(
  /^(?![/~])(?!(?:.*\/)?\.\.(?:\/|$))[^\\]*$/,
  "empty or a path inside the plugin's data folder",
);
