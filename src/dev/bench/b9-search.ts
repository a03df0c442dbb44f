import { createSearchIndex } from "../../kernel/search-index.ts";
import { wordsOf } from "../../kernel/search-words.ts";
import type { VariantRow } from "../../model/registry.ts";
import { type BenchRow, sideBySide } from "./row.ts";

const count = 10_000;
const queries = [
  "read a text file",
  "send a message to a channel",
  "list open pull requests",
  "delete records from the archive",
  "convert an image",
];

const index = {
  id: "B9",
  what: `gum.search over ${count} tools, ${queries.length} queries`,
  against: "a scan of all of them with the same scoring",
} as const;

/** How long a search takes, beside looking at every tool. */
export const searchRatio: BenchRow = {
  ...index,
  async measure() {
    const both = await compare();
    return { ...both, figure: both.own.median / both.other.median, limit: 0.1, unit: "×" };
  },
};

/** How long one search takes. */
export const searchTime: BenchRow = {
  ...index,
  id: "B9T",
  async measure() {
    const both = await compare();
    return { ...both, figure: both.own.median / queries.length, limit: 10, unit: "ms per query" };
  },
};

function compare() {
  const variants = Array.from({ length: count }, (_, at) => variantAt(at));
  const made = createSearchIndex(variants);
  const entries = variants.map(fieldsOf);
  for (const query of queries) {
    if (made.search(query, { limit: 10 }).length === 0)
      throw new Error(`Cannot measure: "${query}" finds nothing`);
  }
  return sideBySide(
    20,
    () => {
      for (const query of queries) made.search(query, { limit: 10 });
    },
    () => {
      for (const query of queries) scan(entries, wordsOf(query));
    },
  );
}

const verbs = ["read", "write", "list", "delete", "create", "send", "convert", "merge", "open", "archive"];
const things = [
  "file",
  "message",
  "channel",
  "record",
  "image",
  "invoice",
  "branch",
  "page",
  "pod",
  "request",
];
const places = [
  "text",
  "pull",
  "kubernetes",
  "notion",
  "github",
  "disk",
  "cloud",
  "queue",
  "calendar",
  "mail",
];

function variantAt(at: number): VariantRow {
  const pick = (list: readonly string[], step: number): string =>
    list[Math.floor(at / step) % list.length] ?? "";
  const [verb, thing, place] = [pick(verbs, 1), pick(things, 10), pick(places, 100)];
  const name = `${verb}_${place}_${thing}_${at}`;
  const description = `${verb} a ${thing} of the ${place} number ${at}, with options for ${pick(things, 7)} and ${pick(places, 3)}`;
  return {
    op_id: `p${at % 200}.${name}`,
    variant_id: `p${at % 200}.${name}.v1`,
    variant_schema_version: 1,
    owner_plugin: `p${at % 200}`,
    title: `${verb} ${thing}`,
    description,
    risk_class: "read",
    confirmation_policy: "none",
    backend_kind: "mcp-plugin",
    interface_kind: "mcp",
    capabilities: [],
    scopes: [],
    auth_strategy: "none",
    output_profile: null,
    null_elision_safe_fields: [],
    schema_hashes: {},
    tool_sha256: null,
    binding: {
      binding_schema_version: 1,
      adapter_key: "plugin.shape1-mcp",
      operation_key: name,
      request_ref: null,
      response_ref: null,
      plugin_name: `p${at % 200}`,
      tool_name: name,
    },
  };
}

interface Field {
  readonly words: readonly string[];
  readonly boost: number;
}

function fieldsOf({ op_id, binding, title, description, owner_plugin }: VariantRow): readonly Field[] {
  return [
    { words: wordsOf(`${op_id} ${binding.tool_name}`), boost: 4 },
    { words: wordsOf(title), boost: 3 },
    { words: wordsOf(description), boost: 1 },
    { words: wordsOf(owner_plugin), boost: 1.5 },
  ];
}

/** BM25+ with prefixes and typing errors over every entry: what the index saves. */
function scan(
  entries: readonly (readonly Field[])[],
  query: readonly string[],
): { at: number; score: number }[] {
  const averages = [0, 1, 2, 3].map(
    (field) => entries.reduce((sum, entry) => sum + (entry[field]?.words.length ?? 0), 0) / entries.length,
  );
  const scores = new Float64Array(entries.length);
  for (const term of query) {
    const matches = entries.map((entry) => entry.map(({ words }) => frequency(words, term)));
    for (const [field, average] of averages.entries()) {
      const found = matches.filter((entry) => (entry[field] ?? 0) > 0).length;
      const idf = Math.log(1 + (entries.length - found + 0.5) / (found + 0.5));
      for (const [at, entry] of entries.entries()) {
        const times = matches[at]?.[field] ?? 0;
        if (times === 0) continue;
        const { words, boost } = entry[field] ?? { words: [], boost: 0 };
        const long = 1.2 * (0.3 + (0.7 * words.length) / average);
        scores[at] = (scores[at] ?? 0) + boost * idf * (0.5 + (times * 2.2) / (times + long));
      }
    }
  }
  return [...scores.entries()]
    .map(([at, score]) => ({ at, score }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 10);
}

function frequency(words: readonly string[], term: string): number {
  let sum = 0;
  for (const word of words) {
    if (word === term) sum += 1;
    else if (term.length >= 4 && word.startsWith(term)) sum += 0.4;
    else if (term.length >= 6 && near(word, term, Math.round(term.length * 0.2))) sum += 0.25;
  }
  return sum;
}

/** Whether so few letters differ. */
function near(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false;
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(change, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    last = row;
  }
  return (last[b.length] ?? most + 1) <= most;
}
