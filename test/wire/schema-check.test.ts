import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { realClock } from "../../src/host/clock.ts";
import { realProcesses } from "../../src/host/processes.ts";
import { isSafePattern } from "../../src/wire/safe-pattern.ts";
import { compileWithAjv } from "../../src/wire/schema-ajv.ts";
import { argumentsError, createSchemaChecker } from "../../src/wire/schema-check.ts";
import { formats } from "../../src/wire/schema-formats.ts";
import { compilePlain } from "../../src/wire/schema-plain.ts";

let children = 0;
const startChild = () => {
  children++;
  return realProcesses.spawn({
    file: process.execPath,
    args: [join(import.meta.dir, "schema-child-main.ts")],
    env: {},
    cwd: import.meta.dir,
    stdio: ["pipe", "pipe", "ignore"],
  });
};
const checker = createSchemaChecker(realClock, { startChild, deadlineMs: 4000 });
afterAll(() => checker.close());

const flights = {
  type: "object",
  additionalProperties: false,
  properties: {
    origin: { type: "string", minLength: 3, maxLength: 3 },
    depart_date: { type: "string", format: "date" },
    passengers: {
      type: "array",
      items: { type: "object", properties: { age: { type: "integer" } }, required: ["age"] },
    },
  },
  required: ["origin", "depart_date"],
};

test("D5 every violation is listed with its JSON pointer", async () => {
  const value = { origin: "SFOX", passengers: [{ age: 3 }, { age: "4" }, {}], "a/b~c": 1 };
  const expected = [
    { pointer: "/a~1b~0c", message: "is not allowed" },
    { pointer: "/origin", message: "must NOT have more than 3 characters" },
    { pointer: "/passengers/1/age", message: "must be integer" },
    { pointer: "/passengers/2/age", message: "is required" },
    { pointer: "/depart_date", message: "is required" },
  ];
  expect(await checker.check("fli", flights, value)).toEqual({ kind: "checked", violations: expected });
  const error = argumentsError("flights.search", expected);
  expect(error.code).toBe("INVALID_ARGS");
  expect(error.message).toBe(
    "The arguments of flights.search do not fit: /a~1b~0c is not allowed (and 4 more).",
  );
  expect(error.info.details).toEqual({ violations: expected });
});

test("D5 Ajv and the plain check find the same faults at the same places", async () => {
  const value = { origin: "SFOX", passengers: [{ age: "4" }, {}], extra: 1 };
  const places = (found: readonly { pointer: string }[]) => found.map(({ pointer }) => pointer).sort();
  const byAjv = (await compileWithAjv(flights))(value);
  expect(places(compilePlain(flights)?.(value) ?? [])).toEqual(places(byAjv));
  expect(places(byAjv)).toEqual([
    "/depart_date",
    "/extra",
    "/origin",
    "/passengers/0/age",
    "/passengers/1/age",
  ]);
});

test("W30 a schema that is not plain is checked by the child, by the dialect that it names", async () => {
  const tuple = {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "array",
    items: [{ type: "string" }],
  };
  expect(await checker.check("a", tuple, [7])).toMatchObject({
    kind: "checked",
    violations: [{ pointer: "/0" }],
  });
  const modern = { type: "array", prefixItems: [{ type: "string" }], items: false };
  expect(await checker.check("a", modern, ["x", 1])).toMatchObject({
    kind: "checked",
    violations: [{ pointer: "" }],
  });
  const dependent = { type: "object", dependentRequired: { a: ["b"] } };
  expect(await checker.check("a", dependent, { a: 1 })).toMatchObject({ kind: "checked" });
  expect(await checker.check("a", dependent, {})).toEqual({ kind: "checked", violations: [] });
  expect(children).toBe(1);
});

test("W30 a schema that cannot be used is told apart from a value that does not fit", async () => {
  const broken = await checker.check("a", { type: "nonsense" }, {});
  expect(broken.kind).toBe("broken");
  const future = await checker.check("a", { $schema: "https://example.com/dialect" }, {});
  expect(future).toEqual({
    kind: "broken",
    reason: 'The dialect "https://example.com/dialect" is not known: use 2020-12 or Draft-07',
  });
  expect(await checker.check("a", { $ref: "https://example.com/elsewhere.json" }, {})).toMatchObject({
    kind: "broken",
  });
});

test("W30 a hostile schema is cut off at the deadline and stalls neither the main thread nor another plugin", async () => {
  const hostile = { type: "array", items: { type: "string", pattern: "^(\\w+\\s?)*$" } };
  const value = Array.from({ length: 500 }, () => `${"a".repeat(60)}!`);
  const impatient = createSchemaChecker(realClock, { startChild, deadlineMs: 1500 });
  let ticks = 0;
  const ticker = setInterval(() => ticks++, 10);
  let over = false;
  const stuck = impatient.check("evil", hostile, value).finally(() => {
    over = true;
  });
  const good = await impatient.check(
    "good",
    { type: "object", minProperties: 1, propertyNames: { minLength: 2 } },
    { ab: 1 },
  );
  expect(good).toEqual({ kind: "checked", violations: [] });
  expect(over).toBe(false);
  expect(await stuck).toEqual({ kind: "too_slow", deadlineMs: 1500 });
  clearInterval(ticker);
  expect(ticks).toBeGreaterThan(50);
  expect(await impatient.check("evil", hostile, ["a b c"])).toEqual({ kind: "checked", violations: [] });
  await impatient.close();
}, 15_000);

test("W30 references that multiply and values that are huge are not worked on in the main thread", () => {
  const defs: Record<string, unknown> = { d0: { type: "string" } };
  for (let n = 1; n < 30; n++)
    defs[`d${n}`] = { anyOf: [{ $ref: `#/$defs/d${n - 1}` }, { $ref: `#/$defs/d${n - 1}` }] };
  expect(compilePlain({ $defs: defs, $ref: "#/$defs/d29" })).toBeUndefined();
  expect(compilePlain({ $defs: defs, $ref: "#/$defs/d3" })).toBeDefined();
  const list = compilePlain({ type: "array", items: { type: "number" } });
  expect(list?.(new Array(1000).fill(1))).toEqual([]);
  expect(list?.(new Array(2_000_000).fill(1))).toBeUndefined();
});

test("W30 recursion, remote references and patterns that may backtrack are left to the child", () => {
  for (const schema of [
    { $defs: { a: { properties: { a: { $ref: "#/$defs/a" } } } }, $ref: "#/$defs/a" },
    { $ref: "#" },
    { $ref: "other.json" },
    { type: "string", pattern: "(a+)+" },
    { uniqueItems: true },
    { patternProperties: { "^a": {} } },
    { type: 7 },
    { required: "a" },
    { items: [{}] },
  ]) {
    expect([schema, compilePlain(schema)]).toEqual([schema, undefined]);
  }
});

test("W30 a pattern is safe when at most one part of it has a variable length and nothing is grouped", () => {
  for (const pattern of [
    "^[A-Z]{3}$",
    "^\\d{4}-\\d{2}-\\d{2}$",
    "^[a-z0-9-]+$",
    "abc",
    "^x.*",
    "^\\+?[0-9]{10}$",
    "^[\\w.-]{1,64}$",
  ]) {
    expect([pattern, isSafePattern(pattern)]).toEqual([pattern, true]);
  }
  for (const pattern of [
    "(a+)+",
    "a*a*",
    "a|b",
    "(?=a)",
    "\\1",
    "a{1,2}b{1,2}",
    "[a",
    "a**",
    "^*",
    "\\p{L}+",
    "a{100}",
  ]) {
    expect([pattern, isSafePattern(pattern)]).toEqual([pattern, false]);
  }
});

test("W30 formats are checked in the usual cases", () => {
  const has = (format: string, text: string) => formats.get(format)?.(text);
  expect([has("date", "2026-02-28"), has("date", "2026-02-30"), has("date", "tomorrow")]).toEqual([
    true,
    false,
    false,
  ]);
  expect([has("date-time", "2026-02-28T23:59:60Z"), has("date-time", "2026-02-28")]).toEqual([true, false]);
  expect([has("time", "23:00:00+01:00"), has("time", "25:00:00Z")]).toEqual([true, false]);
  expect([has("email", "a@b.c"), has("email", "a b@c")]).toEqual([true, false]);
  expect([has("uri", "https://x.y/z"), has("uri", "x.y")]).toEqual([true, false]);
  expect([has("uuid", "123e4567-e89b-12d3-a456-426614174000"), has("uuid", "123")]).toEqual([true, false]);
  expect([has("ipv4", "10.0.0.255"), has("ipv4", "10.0.0.256"), has("ipv4", "10.0.0")]).toEqual([
    true,
    false,
    false,
  ]);
  expect(has("hologram", "x")).toBeUndefined();
});

const json = fc.jsonValue({ maxDepth: 3 });
const leaf = fc.oneof(
  fc.boolean(),
  fc.record(
    {
      type: fc.constantFrom("string", "number", "integer", "boolean", "null", "array", "object", [
        "string",
        "null",
      ]),
      enum: fc.uniqueArray(fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)), {
        minLength: 1,
      }),
      const: fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
      minimum: fc.integer(),
      exclusiveMaximum: fc.double({ noNaN: true, noDefaultInfinity: true }),
      multipleOf: fc.integer({ min: 1, max: 9 }),
      minLength: fc.nat(5),
      maxLength: fc.nat(5),
      minItems: fc.nat(3),
      maxProperties: fc.nat(3),
      required: fc.uniqueArray(fc.constantFrom("a", "b"), { maxLength: 2 }),
      pattern: fc.constantFrom("^a", "[a-z]+", "^\\d{2}$"),
      format: fc.constantFrom("date", "email", "x-unknown"),
    },
    { requiredKeys: [] },
  ),
);
const { schema: schemas } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.record(
      {
        properties: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("schema")),
        additionalProperties: tie("schema"),
      },
      { requiredKeys: [] },
    ),
    fc.record({ items: tie("schema") }),
    fc.record({ not: tie("schema") }),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
  ),
}));

test("W30 the plain check and Ajv agree on what fits", async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      schemas,
      fc.oneof(json, fc.dictionary(fc.constantFrom("a", "b", "c"), json)),
      async (schema, value) => {
        // Ajv takes 1e21 for no multiple of 1.
        fc.pre(!JSON.stringify(value).includes("e+"));
        const found = compilePlain(schema)?.(value);
        if (found === undefined) return true;
        compared++;
        return (found.length === 0) === ((await compileWithAjv(schema))(value).length === 0);
      },
    ),
    { numRuns: 400, seed: 7 },
  );
  expect(compared).toBeGreaterThan(200);
}, 20_000);
