// Where the keys and values of a TOML text stand. The values themselves come from @iarna/toml, which gives no
// positions. The scan runs first, because that parser follows inherited properties: `[toString]` would make it
// write into Object.prototype.toString. So every key is known to be harmless before the parser sees it.
import { forbiddenKeys, maxNesting, maxValues, ReadFault } from "./read-fault.ts";
import { bareKey, decodeBasic, stringEnd } from "./toml-strings.ts";

export interface TomlMark {
  at: number;
  key: number;
  children?: Map<string | number, TomlMark>;
  literal?: "float" | "date";
  /** Made by `[[header]]`: later headers go into its last element. */
  list?: boolean;
}

export interface TomlScan {
  readonly marks: TomlMark;
  /** Why the scan stopped before the end; everything before it was scanned. */
  readonly stopped?: ReadFault | undefined;
}

/** Marks of everything in the text; a forbidden key or deep nesting throws ReadFault. */
export function scanToml(text: string): TomlScan {
  const scanner = new TomlScanner(text);
  try {
    scanner.document();
    return { marks: scanner.root };
  } catch (error) {
    if (error instanceof ReadFault && !(error instanceof RefusedFault))
      return { marks: scanner.root, stopped: error };
    throw error;
  }
}

const inheritedKeys: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));
const scalar = /[^,\]}#\n]*/y;
const date = /^(?:\d{4}-\d{2}-\d{2}|\d{2}:\d{2})/;
const float = /^[+-]?[0-9_]+(?:\.|[eE][+-]?[0-9])/;

/** A fault that is gum's own rule and not bad TOML. */
class RefusedFault extends ReadFault {}

interface Key {
  readonly name: string;
  readonly at: number;
}

class TomlScanner {
  readonly root: TomlMark = { at: 0, key: 0 };
  private readonly text: string;
  private at = 0;
  private table = this.root;
  private depth = 1;
  private values = 0;

  constructor(text: string) {
    this.text = text;
  }

  document(): void {
    for (;;) {
      this.skipLines();
      if (this.at >= this.text.length) return;
      if (this.text[this.at] === "[") this.header();
      else this.assignment(this.table, this.depth);
      this.endOfLine();
    }
  }

  private header(): void {
    const start = this.at;
    this.count(start);
    const list = this.text.startsWith("[[", start);
    this.at += list ? 2 : 1;
    const keys = this.keys();
    this.expect(list ? "]]" : "]");
    this.depth = 1;
    this.table = this.root;
    for (const key of keys) {
      const last = key === keys.at(-1);
      this.enter(key.at);
      const child = childOf(this.table, key, last ? start : key.at);
      if (last && list) {
        child.list = true;
        child.children ??= new Map();
        child.children.set(child.children.size, { at: start, key: start });
      }
      this.table = child.list === true ? this.lastOf(child) : child;
    }
  }

  private lastOf(list: TomlMark): TomlMark {
    this.depth += 1;
    return list.children?.get(list.children.size - 1) ?? list;
  }

  private assignment(into: TomlMark, depth: number): void {
    const keys = this.keys();
    this.expect("=");
    this.skipBlanks();
    let target = into;
    let level = depth;
    for (const key of keys.slice(0, -1)) {
      target = childOf(target, key, key.at);
      level += 1;
    }
    const last = keys.at(-1);
    if (last === undefined) throw this.fault("expected a key");
    target.children ??= new Map();
    if (target.children.has(last.name)) {
      throw new RefusedFault(`the key ${JSON.stringify(last.name)} stands twice in one table`, last.at);
    }
    target.children.set(last.name, this.value(last.at, level + 1));
  }

  private keys(): Key[] {
    const keys: Key[] = [];
    do {
      this.skipBlanks();
      keys.push(this.key());
      this.skipBlanks();
      if (keys.length > maxNesting) throw this.tooDeep();
    } while (this.take("."));
    return keys;
  }

  private key(): Key {
    const at = this.at;
    const quote = this.text[at];
    const end = quote === '"' || quote === "'" ? stringEnd(this.text, at, false) : bareKey(this.text, at);
    const written = this.text.slice(at, end);
    this.at = end;
    const name = quote === '"' ? decodeBasic(written, at) : quote === "'" ? written.slice(1, -1) : written;
    if (forbiddenKeys.has(name) || inheritedKeys.has(name)) {
      throw new RefusedFault(`the key "${name}" is not allowed`, at);
    }
    return { name, at };
  }

  private value(key: number, depth: number): TomlMark {
    const at = this.at;
    this.count(at);
    const mark: TomlMark = { at, key };
    const first = this.text[at];
    if (first === '"' || first === "'") this.at = stringEnd(this.text, at, true);
    else if (first === "[") this.array(mark, depth);
    else if (first === "{") this.inlineTable(mark, depth);
    else {
      scalar.lastIndex = at;
      const written = scalar.exec(this.text)?.[0].trimEnd() ?? "";
      if (written === "") throw this.fault("expected a value");
      this.at += written.length;
      if (date.test(written)) mark.literal = "date";
      else if (float.test(written)) mark.literal = "float";
    }
    return mark;
  }

  private array(mark: TomlMark, depth: number): void {
    if (depth > maxNesting) throw this.tooDeep();
    const children = new Map<string | number, TomlMark>();
    mark.children = children;
    this.at += 1;
    for (;;) {
      this.skipLines();
      if (this.take("]")) return;
      children.set(children.size, this.value(this.at, depth + 1));
      this.skipLines();
      if (this.take("]")) return;
      this.expect(",");
    }
  }

  private inlineTable(mark: TomlMark, depth: number): void {
    if (depth > maxNesting) throw this.tooDeep();
    mark.children = new Map();
    this.at += 1;
    this.skipBlanks();
    if (this.take("}")) return;
    do {
      this.assignment(mark, depth);
      this.skipBlanks();
    } while (this.take(","));
    this.expect("}");
  }

  private enter(at: number): void {
    this.depth += 1;
    if (this.depth > maxNesting) throw new RefusedFault(`more than ${maxNesting} levels of nesting`, at);
  }

  private count(at: number): void {
    this.values += 1;
    if (this.values > maxValues) throw new RefusedFault(`more than ${maxValues} values`, at);
  }

  private tooDeep(): ReadFault {
    return new RefusedFault(`more than ${maxNesting} levels of nesting`, this.at);
  }

  private take(token: string): boolean {
    if (!this.text.startsWith(token, this.at)) return false;
    this.at += token.length;
    return true;
  }

  private expect(token: string): void {
    if (!this.take(token)) throw this.fault(`expected "${token}"`);
  }

  private skipBlanks(): void {
    while (this.text[this.at] === " " || this.text[this.at] === "\t") this.at += 1;
  }

  private skipLines(): void {
    for (;;) {
      this.skipBlanks();
      const next = this.text[this.at];
      if (next === "#") this.skipComment();
      else if (next === "\n" || next === "\r") this.at += 1;
      else return;
    }
  }

  private skipComment(): void {
    const end = this.text.indexOf("\n", this.at);
    this.at = end < 0 ? this.text.length : end;
  }

  private endOfLine(): void {
    this.skipBlanks();
    const next = this.text[this.at];
    if (next === "#") this.skipComment();
    else if (next !== undefined && next !== "\n") throw this.fault("expected the end of the line");
  }

  private fault(message: string): ReadFault {
    return new ReadFault(message, this.at);
  }
}

function childOf(mark: TomlMark, key: Key, at: number): TomlMark {
  mark.children ??= new Map();
  let child = mark.children.get(key.name);
  if (child === undefined) {
    child = { at, key: key.at };
    mark.children.set(key.name, child);
  }
  return child;
}
