// Strict JSON with positions. JSON.parse cannot be used for manifests: it keeps the last of two equal keys
// silently, gives no positions, and puts no bound on nesting.
import type { Mark } from "./marks.ts";
import { forbiddenKeys, maxNesting, maxValues, ReadFault } from "./read-fault.ts";

export interface Read {
  readonly value: unknown;
  readonly marks: Mark;
}

/** The value of a JSON text and where each part of it stands; throws ReadFault. */
export function readJson(text: string): Read {
  const reader = new JsonReader(text);
  return reader.document();
}

const word = /(?:true|false|null)(?![A-Za-z0-9_$])/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const escaped: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

class JsonReader {
  private readonly text: string;
  private at = 0;
  private depth = 0;
  private values = 0;

  constructor(text: string) {
    this.text = text;
  }

  document(): Read {
    this.skipSpace();
    const read = this.value(this.at);
    this.skipSpace();
    if (this.at < this.text.length)
      throw this.fault(`unexpected ${this.here()} after the end of the document`);
    return read;
  }

  private value(key: number): Read {
    const at = this.at;
    this.values += 1;
    if (this.values > maxValues) throw this.fault(`more than ${maxValues} values`);
    switch (this.text[at]) {
      case "{":
        return this.object(key);
      case "[":
        return this.array(key);
      case '"':
        return { value: this.string(), marks: { at, key } };
      case "t":
      case "f":
      case "n":
        return { value: this.word(), marks: { at, key } };
      default:
        return { value: this.number(), marks: { at, key } };
    }
  }

  private object(key: number): Read {
    const marks = new Map<string | number, Mark>();
    const value: Record<string, unknown> = {};
    const at = this.enter();
    if (!this.take("}")) {
      do {
        this.skipSpace();
        const keyAt = this.at;
        const name = this.key(marks);
        this.expect(":", "after the key");
        this.skipSpace();
        const read = this.value(keyAt);
        value[name] = read.value;
        marks.set(name, read.marks);
      } while (this.take(","));
      this.expect("}", "or a comma");
    }
    this.depth -= 1;
    return { value, marks: { at, key, children: marks } };
  }

  private array(key: number): Read {
    const marks = new Map<string | number, Mark>();
    const value: unknown[] = [];
    const at = this.enter();
    if (!this.take("]")) {
      do {
        this.skipSpace();
        const read = this.value(this.at);
        marks.set(value.length, read.marks);
        value.push(read.value);
      } while (this.take(","));
      this.expect("]", "or a comma");
    }
    this.depth -= 1;
    return { value, marks: { at, key, children: marks } };
  }

  private enter(): number {
    const at = this.at;
    this.depth += 1;
    if (this.depth > maxNesting) throw this.fault(`more than ${maxNesting} levels of nesting`);
    this.at += 1;
    return at;
  }

  private key(seen: ReadonlyMap<string | number, Mark>): string {
    const at = this.at;
    if (this.text[at] !== '"') throw this.fault(`expected a key in double quotes, found ${this.here()}`);
    const name = this.string();
    if (forbiddenKeys.has(name)) throw new ReadFault(`the key "${name}" is not allowed`, at);
    if (seen.has(name)) throw new ReadFault(`the key ${JSON.stringify(name)} stands twice in one object`, at);
    return name;
  }

  private string(): string {
    const start = this.at;
    let value = "";
    this.at += 1;
    for (;;) {
      const end = plainEnd(this.text, this.at);
      value += this.text.slice(this.at, end);
      this.at = end;
      const next = this.text[this.at];
      if (next === '"') break;
      if (next === undefined) throw new ReadFault("a text in double quotes has no end", start);
      if (next !== "\\") throw this.fault("a control character in a text must be escaped");
      value += this.escape();
    }
    this.at += 1;
    return value;
  }

  private escape(): string {
    const letter = this.text[this.at + 1] ?? "";
    const plain = Object.hasOwn(escaped, letter) ? escaped[letter] : undefined;
    if (plain !== undefined) {
      this.at += 2;
      return plain;
    }
    const digits = this.text.slice(this.at + 2, this.at + 6);
    if (letter !== "u" || !/^[0-9a-fA-F]{4}$/.test(digits)) throw this.fault("unknown escape in a text");
    this.at += 6;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  private word(): boolean | null {
    word.lastIndex = this.at;
    const found = word.exec(this.text)?.[0];
    if (found === undefined) throw this.fault(`unexpected ${this.here()}`);
    this.at += found.length;
    return found === "null" ? null : found === "true";
  }

  private number(): number {
    number.lastIndex = this.at;
    const found = number.exec(this.text)?.[0];
    if (found === undefined) throw this.fault(`expected a value, found ${this.here()}`);
    const value = Number(found);
    if (!Number.isFinite(value)) throw this.fault("the number is too large");
    this.at += found.length;
    return value;
  }

  private take(character: string): boolean {
    this.skipSpace();
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  private expect(character: string, where: string): void {
    if (this.take(character)) return;
    throw this.fault(`expected "${character}" ${where}, found ${this.here()}`);
  }

  private skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at += 1;
    }
  }

  private here(): string {
    const code = this.text.codePointAt(this.at);
    return code === undefined ? "the end of the file" : JSON.stringify(String.fromCodePoint(code));
  }

  private fault(message: string): ReadFault {
    return new ReadFault(message, this.at);
  }
}

/** The offset of the next quote, backslash, control character or end. */
function plainEnd(text: string, from: number): number {
  for (let at = from; ; at += 1) {
    const code = text.charCodeAt(at);
    if (!(code >= 0x20) || code === 0x22 || code === 0x5c) return at;
  }
}
