import { type Data, data, type Row, text, words } from "../host/native/row.ts";
import { buildFilter, type FilterInput } from "./filter.ts";
import { pathRule, rulesetAttributes } from "./landlock.ts";
import { descriptors } from "./plan-descriptors.ts";
import type { PathRule, Policy } from "./policy.ts";

const here = -100; // AT_FDCWD
const openFlags = { path: 0o10000000, folder: 0o200000, closeOnExec: 0o2000000 } as const;
const pathOnly = openFlags.path | openFlags.closeOnExec;
const noLinks = 4; // RESOLVE_NO_SYMLINKS
const beneathPath = 1; // LANDLOCK_RULE_PATH_BENEATH

/** Makes the plugin's folders without following a link that the plugin may have put in their way. */
export function folderRows(folders: Policy["folders"], free: number): Row[] {
  return folders.flatMap(({ parent, name }): Row[] => [
    openWithoutLinks(`make folder ${name}`, parent, pathOnly | openFlags.folder, free),
    { name: `make folder ${name}`, call: "mkdirat", args: [free, text(name), 0o700], expect: "any" },
    { name: `make folder ${name}`, call: "close", args: [free], expect: 0 },
  ]);
}

/** Allows the policy's paths, then gives up everything else. */
export function landlockRows(policy: Policy, abi: number, free: number): Row[] {
  const attributes = rulesetAttributes(abi, policy.network);
  const [ruleset, path] = [free, free + 1];
  return [
    {
      name: "start a Landlock ruleset",
      call: "landlock_create_ruleset",
      args: [attributes, attributes.bytes.length, 0],
      expect: ruleset,
    },
    ...policy.rules.flatMap((rule, index) => ruleRows(rule, { abi, ruleset, path, index })),
    {
      label: `rule ${policy.rules.length}`,
      name: "apply Landlock",
      call: "landlock_restrict_self",
      args: [ruleset, 0],
      expect: 0,
    },
    { name: "close the ruleset", call: "close", args: [ruleset], expect: 0 },
  ];
}

interface RulePlace {
  readonly abi: number;
  readonly ruleset: number;
  readonly path: number;
  readonly index: number;
}

function ruleRows(rule: PathRule, place: RulePlace): Row[] {
  const start = `rule ${place.index}`;
  const next = `rule ${place.index + 1}`;
  if (rule.kind !== "either") {
    return labelled(
      start,
      allowRows(rule, rule.kind, place, rule.presence === "required" ? undefined : next),
    );
  }
  // A file cannot be opened as a folder; a folder that is opened as a file gets nothing that it has not got.
  const asFile = `${start} as a file`;
  return [
    ...labelled(start, allowRows(rule, "folder", place, asFile)),
    ...labelled(asFile, allowRows(rule, "file", place, rule.presence === "required" ? undefined : next)),
  ];
}

/** Opens the path, adds the rule, closes it; where the path may be absent, its absence leads to `otherwise`. */
function allowRows(
  rule: PathRule,
  kind: "folder" | "file",
  { abi, ruleset, path }: RulePlace,
  otherwise: string | undefined,
): Row[] {
  const name = `allow ${rule.access}: ${rule.path}`;
  const flags = kind === "folder" ? pathOnly | openFlags.folder : pathOnly;
  const open =
    rule.presence === "required"
      ? openWithoutLinks(name, rule.path, flags, path, otherwise)
      : openPath(name, rule.path, flags, path, otherwise);
  const attributes = pathRule(rule.access, kind, abi, path);
  return [
    open,
    { name, call: "landlock_add_rule", args: [ruleset, beneathPath, attributes, 0], expect: 0 },
    { name, call: "close", args: [path], expect: 0 },
  ];
}

function openPath(name: string, path: string, flags: number, descriptor: number, otherwise?: string): Row {
  const args = [here, text(path), flags, 0];
  if (otherwise === undefined) return { name, call: "openat", args, expect: descriptor };
  return { name, call: "openat", args: [...args, 0, { row: otherwise }], expect: "or-else" };
}

function openWithoutLinks(
  name: string,
  path: string,
  flags: number,
  descriptor: number,
  otherwise?: string,
): Row {
  const how = words(flags, 0, noLinks); // struct open_how
  const args = [here, text(path), how, how.bytes.length];
  if (otherwise === undefined) return { name, call: "openat2", args, expect: descriptor };
  return { name, call: "openat2", args: [...args, 0, { row: otherwise }], expect: "or-else" };
}

/** The program gets none of gum's descriptors; that the status closes tells gum that it has begun. */
export function closeAtStart(): Row {
  const closeOnExec = 4;
  return {
    name: "close gum's descriptors at the start",
    call: "close_range",
    args: [descriptors.status, 0xffffffff, closeOnExec],
    expect: 0,
  };
}

/** Applies the filter, which nothing can take off. */
export function filterRows(input: FilterInput): Row[] {
  const setFilter = 1;
  return [
    { name: "apply the filter", call: "seccomp", args: [setFilter, 0, filterProgram(input)], expect: 0 },
  ];
}

/** Launches differ in little that the filter depends on. */
const programs = new Map<string, Data>();

/** `struct sock_fprog`. */
function filterProgram(input: FilterInput): Data {
  const key = JSON.stringify([input.arch, input.landlockAbi, input.network, input.exec]);
  const known = programs.get(key);
  if (known !== undefined) return known;
  const program = makeProgram(input);
  programs.set(key, program);
  return program;
}

function makeProgram(input: FilterInput): Data {
  const instructions = data(buildFilter(input));
  const bytes = new Uint8Array(16);
  new DataView(bytes.buffer).setUint16(0, instructions.bytes.length / 8, true);
  return data(bytes, [{ at: 8, to: instructions }]);
}

function labelled(label: string, [first, ...rest]: readonly Row[]): Row[] {
  return first === undefined ? [] : [{ ...first, label }, ...rest];
}
