import { describe, expect, test } from "bun:test";
import { createSearchIndex } from "../../src/kernel/search-index.ts";
import { stem, wordsOf } from "../../src/kernel/search-words.ts";
import { skeletonOf } from "../../src/kernel/skeleton.ts";
import { variantRow } from "../registry/support.ts";

const op = (plugin: string, tool: string, description: string, risk_class: "read" | "write" = "read") =>
  variantRow(plugin, {
    op_id: `${plugin}.${tool}`,
    variant_id: `${plugin}.${tool}.v1`,
    title: tool,
    description,
    risk_class,
    binding: { ...variantRow(plugin).binding, tool_name: tool },
  });

describe("search", () => {
  const index = createSearchIndex([
    op("filesystem", "list_directory", "List files and folders in a directory"),
    op("filesystem", "write_file", "Create or overwrite a file with text", "write"),
    op("flights", "search", "Search flights for a route on a date"),
    op("mail", "sendMessage", "Send an email to somebody", "write"),
  ]);
  const first = (query: string) => index.search(query, { limit: 1 })[0]?.op_id;
  test.each([
    ["list files", "filesystem.list_directory"],
    ["listing directories", "filesystem.list_directory"],
    ["save text to a file", "filesystem.write_file"],
    ["find a flight", "flights.search"],
    ["send emails", "mail.sendMessage"],
    ["send mesage", "mail.sendMessage"],
  ])("S1 %s finds %s", (query, expected) => {
    expect(first(query)).toBe(expected);
  });
  test("S1 a risk class keeps the others out", () => {
    const hits = index.search("file", { limit: 10, risk: "write" });
    expect(hits.map(({ op_id }) => op_id)).toEqual(["filesystem.write_file"]);
  });
  test("S1 the limit is kept and nonsense finds nothing", () => {
    expect(index.search("file flight send", { limit: 2 })).toHaveLength(2);
    expect(index.search("zzzzzz", { limit: 5 })).toEqual([]);
    expect(index.search("", { limit: 5 })).toEqual([]);
  });
});

describe("words", () => {
  test("names and sentences become the same words", () => {
    expect(wordsOf("listFiles")).toEqual(["list", "file"]);
    expect(wordsOf("list_files")).toEqual(["list", "file"]);
    expect(wordsOf("HTTPServer list the files!")).toEqual(["http", "server", "list", "file"]);
  });
  test.each([
    ["queries", "query"],
    ["searches", "search"],
    ["running", "run"],
    ["status", "status"],
    ["is", "is"],
    ["access", "access"],
    ["planned", "plan"],
  ])("%s is stemmed to %s", (word, expected) => {
    expect(stem(word)).toBe(expected);
  });
});

describe("skeletons", () => {
  test("every required field is there, with what the schema knows of it", () => {
    const schema = {
      type: "object",
      required: ["name", "kind", "when", "list", "inner", "ref"],
      properties: {
        name: { type: "string" },
        kind: { enum: ["a", "b"] },
        when: { type: "string", format: "date" },
        list: { type: "array", minItems: 1, items: { type: "integer", minimum: 3 } },
        inner: { type: "object", required: ["x"], properties: { x: { default: true } } },
        ref: { $ref: "#/$defs/thing" },
        optional: { type: "string" },
      },
      $defs: { thing: { const: 7 } },
    };
    expect(skeletonOf(schema)).toEqual({
      name: "<text>",
      kind: "a",
      when: "<date>",
      list: [3],
      inner: { x: true },
      ref: 7,
    });
  });
  test("a schema that refers to itself ends", () => {
    const schema = { type: "object", required: ["next"], properties: { next: { $ref: "#" } } };
    expect(JSON.stringify(skeletonOf(schema)).length).toBeLessThan(200);
  });
  test("a schema that says nothing gives null", () => {
    expect(skeletonOf(true)).toBeNull();
  });
});
