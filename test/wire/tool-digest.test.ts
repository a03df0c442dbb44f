import { expect, test } from "bun:test";
import { GumError } from "../../src/base/errors.ts";
import type { ListedTool } from "../../src/model/session.ts";
import { requireDeclaredTools, toolDigest, toolsDigest } from "../../src/wire/tool-digest.ts";

const tool: ListedTool = {
  name: "search",
  description: "Find flights",
  inputSchema: { type: "object", properties: { from: { type: "string" } } },
  annotations: { readOnlyHint: true },
};

test("T28 the digest of a tool is a pinned figure", () => {
  expect(toolDigest(tool)).toBe("f2563a158b5cb3ba1aa42a08bc465e20843599c07b3d9c484183e0aecb6fe689");
});

test("T28 the order of keys does not matter and the title is not pinned", () => {
  const other: ListedTool = {
    annotations: { readOnlyHint: true },
    inputSchema: { properties: { from: { type: "string" } }, type: "object" },
    description: "Find flights",
    name: "search",
    title: "Search",
  };
  expect(toolDigest(other)).toBe(toolDigest(tool));
});

test("T28 a change of name, description, schema or annotations changes the digest", () => {
  const changes: ListedTool[] = [
    { ...tool, name: "searches" },
    { ...tool, description: "Find flights." },
    { ...tool, inputSchema: { type: "object" } },
    { ...tool, outputSchema: { type: "object" } },
    { ...tool, annotations: { readOnlyHint: false } },
    { ...tool, annotations: undefined },
  ];
  const digests = new Set([tool, ...changes].map(toolDigest));
  expect(digests.size).toBe(7);
});

test("T28 the digest of a list does not depend on its order", () => {
  const second = { ...tool, name: "book" };
  expect(toolsDigest([tool, second])).toBe(toolsDigest([second, tool]));
  expect(toolsDigest([tool])).not.toBe(toolsDigest([tool, second]));
});

function check(
  declared: string[],
  tools: string[],
  rejected: { name: string; reason: string }[] = [],
): GumError | undefined {
  try {
    const offered = tools.map((name) => ({ name, inputSchema: {} }));
    requireDeclaredTools("fli", declared, {
      server: undefined,
      protocolVersion: "x",
      tools: offered,
      rejected,
    });
    return undefined;
  } catch (error) {
    if (error instanceof GumError) return error;
    throw error;
  }
}

test("W7 the same set of names passes in any order", () => {
  expect(check(["a", "b"], ["b", "a"])).toBeUndefined();
});

test("W7 missing and extra tools are both named", () => {
  const error = check(["a", "b"], ["b", "c"]);
  expect(error?.code).toBe("PLUGIN_TOOLS_MISMATCH");
  expect(error?.message).toBe(
    'The plugin "fli" does not offer "a" and offers "c", which its manifest does not name.',
  );
  expect(error?.info.details).toEqual({ missing: ["a"], extra: ["c"], rejected: [] });
});

test("W7 a declared tool that is broken is missing, and the hint tells why", () => {
  const error = check(["a", "b"], ["a"], [{ name: "b", reason: "inputSchema is not an object" }]);
  expect(error?.message).toBe('The plugin "fli" does not offer "b".');
  expect(error?.info.hint).toBe("b: inputSchema is not an object");
});

test("W7 names are compared by case and only the first ten are shown", () => {
  expect(check(["a"], ["A"])?.info.details).toMatchObject({ missing: ["a"], extra: ["A"] });
  const many = Array.from({ length: 12 }, (_, n) => `t${n}`);
  expect(check(many, [])?.message).toEndWith(" and 2 more.");
});
