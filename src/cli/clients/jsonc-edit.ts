import { JsoncFault, type JsoncNode, readJsonc } from "./jsonc-tree.ts";

/** The text with `value` at `[section][name]`; everything else, comments included, stays as it is. */
export function setInJsonc(text: string, section: string, name: string, value: unknown): string {
  if (text.replace(/^\ufeff/, "").trim() === "") {
    return `${JSON.stringify({ [section]: { [name]: value } }, null, 2)}\n`;
  }
  const root = readJsonc(text);
  if (root.members === undefined) throw new JsoncFault("it does not hold an object", root.start);
  const unit = indentUnit(text, root);
  const servers = root.members.find(({ key }) => key === section)?.node;
  if (servers === undefined) return insert(text, root, section, { [name]: value }, unit, 1);
  if (servers.members === undefined) throw new JsoncFault(`"${section}" is not an object`, servers.start);
  const present = servers.members.find(({ key }) => key === name)?.node;
  if (present === undefined) return insert(text, servers, name, value, unit, 2);
  return text.slice(0, present.start) + printed(value, unit, 2) + text.slice(present.end);
}

/** Puts a member at the end of an object, before its closing brace and after whatever comment stands there. */
function insert(
  text: string,
  object: JsoncNode,
  key: string,
  value: unknown,
  unit: string,
  depth: number,
): string {
  const line = `${unit.repeat(depth)}${JSON.stringify(key)}: ${printed(value, unit, depth)}`;
  const last = object.members?.at(-1);
  const close = object.end - 1;
  const after = last === undefined ? object.start + 1 : last.node.end;
  const between = text.slice(after, close);
  const comma = last === undefined || hasComma(between) ? "" : ",";
  return `${text.slice(0, after)}${comma}${between.trimEnd()}\n${line}\n${unit.repeat(depth - 1)}${text.slice(close)}`;
}

/** A comma inside a comment is none. */
function hasComma(between: string): boolean {
  return between.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "").includes(",");
}

function printed(value: unknown, unit: string, depth: number): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", `\n${unit.repeat(depth)}`);
}

/** What the file indents by: the white space before its first member, else two spaces. */
function indentUnit(text: string, { members }: JsoncNode): string {
  const [first] = members ?? [];
  const before = first === undefined ? "" : text.slice(0, first.start);
  return /\n([ \t]+)$/.exec(before)?.[1] ?? "  ";
}
