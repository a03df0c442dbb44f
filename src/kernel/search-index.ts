import MiniSearch from "minisearch";
import type { VariantRow } from "../model/registry.ts";
import type { RiskClass } from "../model/risk.ts";
import { wordsOf } from "./search-words.ts";

/** One operation that was found. */
export interface SearchHit {
  readonly op_id: string;
  readonly variant_id: string;
  readonly plugin: string;
  readonly title: string;
  readonly description: string;
  readonly risk_class: RiskClass;
  readonly score: number;
}

export interface SearchOptions {
  readonly limit: number;
  readonly risk?: RiskClass | undefined;
}

/** Finds operations by words (BM25); made once for a catalog, asked many times. */
export interface SearchIndex {
  search(query: string, options: SearchOptions): SearchHit[];
}

interface Entry {
  readonly id: number;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly plugin: string;
}

/** Indexes the operations of a catalog. */
export function createSearchIndex(variants: readonly VariantRow[]): SearchIndex {
  const known = new Set<string>();
  const index = new MiniSearch<Entry>({
    fields: ["name", "title", "description", "plugin"],
    tokenize(text) {
      const words = wordsOf(text);
      for (const word of words) known.add(word);
      return words;
    },
    processTerm: (term) => term,
    searchOptions: {
      tokenize: wordsOf,
      boost: { name: 4, title: 3, description: 1, plugin: 1.5 },
      combineWith: "OR",
      prefix: (term) => term.length >= 4,
      // A word that some operation uses is no slip of the keyboard.
      fuzzy: (term) => (term.length >= 6 && !known.has(term) ? 0.2 : false),
      weights: { prefix: 0.4, fuzzy: 0.25 },
    },
  });
  index.addAll(variants.map(entryOf));
  return {
    search(query, { limit, risk }) {
      const hits = index.search(query, {
        filter: ({ id }) => risk === undefined || variants[id]?.risk_class === risk,
      });
      return hits.slice(0, limit).flatMap(({ id, score }) => hitOf(variants[id], score));
    },
  };
}

function entryOf(variant: VariantRow, id: number): Entry {
  const { op_id, binding, title, description, owner_plugin } = variant;
  return { id, name: `${op_id} ${binding.tool_name}`, title, description, plugin: owner_plugin };
}

function hitOf(variant: VariantRow | undefined, score: number): SearchHit[] {
  if (variant === undefined) return [];
  const { op_id, variant_id, owner_plugin, title, description, risk_class } = variant;
  const rounded = Math.round(score * 100) / 100;
  return [{ op_id, variant_id, plugin: owner_plugin, title, description, risk_class, score: rounded }];
}
