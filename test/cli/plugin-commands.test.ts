import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import * as v from "valibot";
import { cliSchemas } from "../../src/cli/schemas.ts";
import { createScratch, type Scratch } from "./real-world.ts";

/** The JSON answer, proven against its published model. */
function answer(model: string, out: string) {
  const lines = out.split("\n");
  expect(lines).toHaveLength(2);
  const schema = cliSchemas[`cli/${model}.v1`];
  if (schema === undefined) throw new Error(`no model ${model}`);
  const value = JSON.parse(lines[0] ?? "");
  expect(v.safeParse(schema, value).issues).toBeUndefined();
  return value;
}

let scratch: Scratch;
let hello: string;
let writer: string;

beforeAll(() => {
  scratch = createScratch();
  hello = scratch.plugin("hello");
  writer = scratch.plugin("hello", "writer", [
    ['"hello",\n  "name"', '"writer",\n  "name"'],
    ["io.example.hello", "io.example.writer"],
    ['"risk_class": "read"', '"risk_class": "write"'],
    ['"canary": { "tool": "hello", "args": { "name": "world" } }', ""],
  ]);
});
afterAll(() => scratch[Symbol.asyncDispose]());

describe("one plugin from folder to answer", () => {
  test("L5 without a terminal and without --yes nobody is asked and nothing is installed", async () => {
    const refused = await scratch.gum(["plugin", "install", hello, "--json"]);
    expect([refused.code, refused.err, refused.questions]).toEqual([4, "", []]);
    expect(answer("failure", refused.out)).toMatchObject({
      error_code: "TRUST_NOT_CONFIRMED",
      details: { consent: { id: "hello", owner: "io.example.hello", network: false } },
    });
    expect(await scratch.gum(["plugin", "list"])).toEqual({ code: 0, out: "", err: "", questions: [] });
  });

  test("T34 a person who says no has installed nothing", async () => {
    const no = await scratch.gum(["plugin", "install", hello], { interactive: true, answers: ["n"] });
    expect([no.code, no.out, no.questions]).toEqual([4, "", ["Install hello 0.1.0? [y/N] "]]);
    expect(no.err).toContain("  Owner               io.example.hello\n");
    expect(no.err).toEndWith(
      [
        'gum: error TRUST_NOT_CONFIRMED: You did not agree to install "hello".',
        "  next: nothing was installed; run the command again to be asked again\n",
      ].join("\n"),
    );
    expect(answer("plugin-list", (await scratch.gum(["plugin", "list", "--json"])).out)).toEqual([]);
  });

  test("P9 a dry run ends before stage, and shows the rest as what would run", async () => {
    const dry = await scratch.gum(["plugin", "install", hello, "--yes", "--dry-run", "--json"]);
    expect([dry.code, dry.err]).toEqual([0, ""]);
    const { status, steps } = answer("plugin-install", dry.out);
    const names = steps.map((step: { step: string }) => step.step);
    const from = names.indexOf("stage");
    expect([status, from > 0]).toEqual(["not_installed", true]);
    const fetching = ["fetch", "check-digest", "unpack"]; // a folder needs none of these
    for (const [index, step] of steps.entries()) {
      const done = fetching.includes(step.step) ? "skipped" : "ok";
      expect([step.step, step.outcome]).toEqual([names[index], index < from ? done : "would-run"]);
    }
  });

  test("P9 an install traces each step on stderr and answers on stdout", async () => {
    const done = await scratch.gum(["plugin", "install", hello, "--yes", "--json", "--trace=json"]);
    expect(done.code).toBe(0);
    const { plugin, version, status, generation, steps } = answer("plugin-install", done.out);
    expect([plugin, version, status, generation]).toEqual(["hello", "0.1.0", "installed_pending_restart", 1]);
    const traced = done.err
      .trimEnd()
      .split("\n")
      .map((line) => answer("trace", `${line}\n`));
    expect(traced.map(({ step }) => step)).toEqual(steps.map(({ step }: { step: string }) => step));
  });

  test("the list has the status in its fourth column, with a header only for a person", async () => {
    const piped = await scratch.gum(["plugin", "list"]);
    expect(piped.out).toMatch(/^hello\t0\.1\.0\tHello\t[a-z_]+\n$/);
    const shown = await scratch.gum(["plugin", "list"], { interactive: true });
    expect(shown.out).toMatch(/^ID {5}VERSION {2}NAME {3}STATUS\nhello {2}0\.1\.0 {4}Hello {2}[a-z_]+\n$/);
    expect(answer("plugin-list", (await scratch.gum(["plugin", "list", "--json"])).out)).toHaveLength(1);
  });

  test("L4 info shows the record, and an unknown plugin is refused with the nearest", async () => {
    const info = answer("plugin-info", (await scratch.gum(["plugin", "info", "hello", "--json"])).out);
    expect([info.id, info.variants.length]).toEqual(["hello", 1]);
    expect((await scratch.gum(["plugin", "info", "hello"])).out).toStartWith("id: hello\nstatus: ");
    const wrong = await scratch.gum(["plugin", "info", "helo"]);
    expect([wrong.code, wrong.out]).toEqual([10, ""]);
    expect(wrong.err).toStartWith('gum: error PLUGIN_NOT_FOUND: No plugin "helo"');
    expect(wrong.err).toContain('did you mean "hello"?');
  });

  test("D8 run prints exactly the payload, and with --meta the envelope", async () => {
    const payload = '{"success":true,"data":{"greeting":"Hello, Ada!"}}\n';
    for (const words of [["name=Ada"], ['{"name":"Ada"}'], ["--args", '{"name":"Ada"}']]) {
      const said = await scratch.gum(["plugin", "run", "hello", "hello", ...words]);
      expect(said).toEqual({ code: 0, out: payload, err: "", questions: [] });
    }
    const piped = await scratch.gum(["plugin", "run", "hello", "hello", "-"], { input: '{"name":"Ada"}' });
    expect(piped.out).toBe(payload);
    const json = await scratch.gum(["plugin", "run", "hello", "hello", "name=Ada", "--json"]);
    expect(answer("plugin-run", json.out)).toEqual({ success: true, data: { greeting: "Hello, Ada!" } });
    const skeleton = await scratch.gum(["describe", "plug.hello.hello", "--skeleton", "--json"]);
    expect(answer("describe-skeleton", skeleton.out)).toEqual({ name: "<text>" });
    const meta = await scratch.gum(["plugin", "run", "hello", "hello", "name=Ada", "--meta"]);
    expect(answer("plugin-run", meta.out)).toMatchObject({
      success: true,
      data: { greeting: "Hello, Ada!" },
      _meta: { plugin: "hello", version: "0.1.0" },
    });
  });

  test("D8 a failing call is an envelope with --json and an error on stderr without", async () => {
    const failed = await scratch.gum(["plugin", "run", "hello", "hello", 'name:=""', "--json"]);
    expect([failed.code, failed.err]).toEqual([2, ""]);
    expect(answer("failure", failed.out)).toMatchObject({
      error_code: "INVALID_ARGS",
      source_error_code: "INVALID_INPUT",
      plugin: "hello",
      op_id: "plug.hello.hello",
    });
    const told = await scratch.gum(["plugin", "run", "hello", "hello", "name="]);
    expect([told.code, told.out]).toEqual([2, ""]);
    expect(told.err).toStartWith("gum: error INVALID_ARGS: ");
    const unknown = await scratch.gum(["plugin", "run", "hello", "helo"]);
    expect(unknown.code).toBe(10);
  });

  test("a terminal gets the answer with nothing in it to obey", async () => {
    const said = await scratch.gum(["plugin", "run", "hello", "hello", "name=\u009b2J\u202e"], {
      interactive: true,
    });
    expect(said.out).toBe('{"success":true,"data":{"greeting":"Hello, \\u009b2J\\u202e!"}}\n');
  });

  test("remove asks on a terminal and needs --yes without one", async () => {
    const refused = await scratch.gum(["plugin", "remove", "hello"]);
    expect([refused.code, refused.questions]).toEqual([9, []]);
    const no = await scratch.gum(["plugin", "remove", "hello"], { interactive: true, answers: [""] });
    expect([no.code, no.questions]).toEqual([9, ['Remove hello 0.1.0 from profile "default"? [y/N] ']]);
    const done = await scratch.gum(["plugin", "remove", "hello", "--yes", "--json"]);
    expect([done.code, answer("plugin-remove", done.out).plugin]).toEqual([0, "hello"]);
    expect((await scratch.gum(["plugin", "list"])).out).toBe("");
  });
});

test("D3 a tool that writes asks on a terminal and needs --yes without one", async () => {
  expect((await scratch.gum(["plugin", "install", writer, "--yes"])).code).toBe(0);
  const call = ["plugin", "run", "writer", "hello", "name=Ada"];
  const payload = '{"success":true,"data":{"greeting":"Hello, Ada!"}}\n';

  const refused = await scratch.gum([...call, "--json"]);
  expect([refused.code, refused.questions]).toEqual([9, []]);
  expect(answer("failure", refused.out)).toMatchObject({
    error_code: "REQUIRES_CONFIRMATION",
    plugin: "writer",
  });

  const question = 'plug.writer.hello is a write operation; call it with {"name":"Ada"}? [y/N] ';
  const no = await scratch.gum(call, { interactive: true, answers: ["n"] });
  expect([no.code, no.out, no.questions]).toEqual([9, "", [question]]);
  const yes = await scratch.gum(call, { interactive: true, answers: ["y"] });
  expect([yes.code, yes.out, yes.questions]).toEqual([0, payload, [question]]);
  const flag = await scratch.gum([...call, "--yes"], { interactive: true });
  expect([flag.code, flag.out, flag.questions]).toEqual([0, payload, []]);
});
