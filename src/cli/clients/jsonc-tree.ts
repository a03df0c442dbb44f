// JSON as editors write it, with comments and trailing commas, as a tree of positions: what is edited is the text, so
// that everything else in the file stays as somebody wrote it.

/** A part of the text that cannot be read. */
export class JsoncFault extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

export interface JsoncNode {
  readonly start: number;
  readonly end: number;
  readonly value: unknown;
  /** For an object: its members in their order. */
  readonly members?: readonly JsoncMember[];
}

export interface JsoncMember {
  readonly key: string;
  readonly start: number;
  readonly node: JsoncNode;
}

const maxDepth = 200;

/** Reads the one value of a text; throws JsoncFault. */
export function readJsonc(text: string): JsoncNode {
  const reader = new Reader(text);
  const node = reader.value(0);
  reader.space();
  if (reader.at < text.length) throw reader.fault("something stands after the end");
  return node;
}

class Reader {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    if (text.startsWith("\ufeff")) this.at = 1;
  }

  fault(message: string): JsoncFault {
    return new JsoncFault(message, this.at);
  }

  value(depth: number): JsoncNode {
    if (depth > maxDepth) throw this.fault("it is nested too deeply");
    this.space();
    const start = this.at;
    const first = this.#text[start];
    if (first === "{") return this.#object(start, depth);
    if (first === "[") return this.#array(start, depth);
    if (first === '"') return { start, value: this.#string(), end: this.at };
    const [word] = /^(?:true|false|null|-?\d[\d.eE+-]*)/.exec(this.#text.slice(start, start + 64)) ?? [];
    if (word === undefined) throw this.fault("a value is expected");
    this.at += word.length;
    return { start, end: this.at, value: this.#parse(word) };
  }

  /** White space and comments. */
  space(): void {
    const rule = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
    rule.lastIndex = this.at;
    this.at += rule.exec(this.#text)?.[0].length ?? 0;
  }

  #object(start: number, depth: number): JsoncNode {
    const members: JsoncMember[] = [];
    const value = new Map<string, unknown>();
    this.#items("}", () => {
      const from = this.at;
      if (this.#text[from] !== '"') throw this.fault("a key is expected");
      const key = this.#string();
      if (value.has(key)) throw this.fault(`the key "${key}" stands twice`);
      this.space();
      if (this.#text[this.at] !== ":") throw this.fault("a colon is expected");
      this.at++;
      const node = this.value(depth + 1);
      members.push({ key, start: from, node });
      value.set(key, node.value);
    });
    return { start, end: this.at, value: Object.fromEntries(value), members };
  }

  #array(start: number, depth: number): JsoncNode {
    const items: unknown[] = [];
    this.#items("]", () => items.push(this.value(depth + 1).value));
    return { start, end: this.at, value: items };
  }

  #items(close: string, item: () => void): void {
    this.at++;
    for (;;) {
      this.space();
      if (this.#text[this.at] === close) break;
      item();
      this.space();
      if (this.#text[this.at] === ",") this.at++;
      else if (this.#text[this.at] !== close) throw this.fault(`a comma or ${close} is expected`);
    }
    this.at++;
  }

  #string(): string {
    const rule = /"(?:[^"\\\n]|\\.)*"/y;
    rule.lastIndex = this.at;
    const [found] = rule.exec(this.#text) ?? [];
    if (found === undefined) throw this.fault("a text has no end");
    const value = this.#parse(found);
    this.at += found.length;
    return String(value);
  }

  #parse(word: string): unknown {
    try {
      return JSON.parse(word);
    } catch {
      throw this.fault("a value cannot be read");
    }
  }
}
