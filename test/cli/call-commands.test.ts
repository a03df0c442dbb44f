import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { cliSchemas } from "../../src/cli/schemas.ts";
import { answer, failure } from "./answers.ts";
import { createScratch, type Scratch } from "./real-world.ts";

let scratch: Scratch;

/** The hello plugin under another id and risk. */
function helloAs(id: string, risk: string): string {
  return scratch.plugin("hello", id, [
    ['"hello",\n  "name"', `"${id}",\n  "name"`],
    ["io.example.hello", `io.example.${id}`],
    ['"risk_class": "read"', `"risk_class": "${risk}"`],
    ['"canary": { "tool": "hello", "args": { "name": "world" } }', ""],
  ]);
}

beforeAll(async () => {
  scratch = createScratch();
  const folders = [
    helloAs("reader", "read"),
    helloAs("writer", "write"),
    helloAs("wiper", "destructive"),
    scratch.plugin("resources"),
    scratch.plugin("crash-call"),
  ];
  for (const folder of folders)
    expect((await scratch.gum(["plugin", "install", folder, "--yes"])).code).toBe(0);
}, 30_000);
afterAll(() => scratch[Symbol.asyncDispose]());

const greeting = (name: string): string => `{"success":true,"data":{"greeting":"Hello, ${name}!"}}\n`;

describe("gum call", () => {
  test("D3 the caller states the risk, and another one than the tool's own is refused", async () => {
    expect(await scratch.gum(["call", "plug.reader.hello", "--risk=read", "name=Ada"])).toEqual({
      code: 0,
      out: greeting("Ada"),
      err: "",
      questions: [],
    });
    expect((await scratch.gum(["read", "plug.reader.hello", "name=Ada"])).out).toBe(greeting("Ada"));
    expect((await scratch.gum(["write", "plug.writer.hello", "name=Ada"])).out).toBe(greeting("Ada"));
    const refused = await failure(scratch, ["call", "plug.reader.hello", "--risk", "write", "name=Ada"]);
    expect(refused).toEqual([2, "RISK_TOOL_MISMATCH", '"reader.hello" is a read operation, not write.']);
    expect((await failure(scratch, ["destructive", "plug.writer.hello", "name=Ada"]))[1]).toBe(
      "RISK_TOOL_MISMATCH",
    );
  });

  test("D3 without a stated risk nothing is called", async () => {
    const [code, error, sentence] = await failure(scratch, ["call", "plug.reader.hello", "name=Ada"]);
    expect([code, error]).toEqual([2, "USAGE"]);
    expect(sentence).toContain("State the risk with --risk=read|write|destructive");
  });

  test("D4 what destroys takes two commands, of which the second brings the token of the first", async () => {
    const words = ["destructive", "plug.wiper.hello", "name=Ada"];
    const asked = await scratch.gum([...words, "--json"]);
    expect(asked.code).toBe(9);
    const { error_code, details, op_id, plugin, hint } = JSON.parse(asked.out);
    expect([error_code, op_id, plugin]).toEqual(["REQUIRES_CONFIRMATION", "plug.wiper.hello", "wiper"]);
    expect(details).toMatchObject({ op_id: "wiper.hello", risk_class: "destructive" });
    expect(hint).toBe(`call it again within five minutes with --token ${details.token}`);

    const other = ["call", "plug.wiper.hello", "--risk=destructive", "name=Bob", "--token", details.token];
    expect((await failure(scratch, other)).slice(0, 2)).toEqual([9, "CONFIRMATION_TOKEN_INVALID"]);
    const again = JSON.parse((await scratch.gum([...words, "--json"])).out).details.token;
    expect((await scratch.gum([...words, "--token", again])).out).toBe(greeting("Ada"));
    const replayed = JSON.parse((await scratch.gum([...words, "--token", again, "--json"])).out);
    expect([replayed.error_code, replayed.details.reason]).toEqual([
      "CONFIRMATION_TOKEN_INVALID",
      "replayed",
    ]);
  });

  test("D4 a person reads the token on stderr, and is not asked", async () => {
    const asked = await scratch.gum(["destructive", "plug.wiper.hello", "name=Ada"], { interactive: true });
    expect([asked.code, asked.out, asked.questions]).toEqual([9, "", []]);
    const token = /--token (\S+)/.exec(asked.err)?.[1] ?? "";
    expect((await scratch.gum(["destructive", "plug.wiper.hello", "name=Ada", "--token", token])).out).toBe(
      greeting("Ada"),
    );
  });

  test("D6 arguments are pairs, JSON, a file, or standard input", async () => {
    writeFileSync(join(scratch.folder, "args.json"), '{"name":"File"}');
    writeFileSync(join(scratch.folder, "name.txt"), "Text");
    const ways: readonly (readonly [readonly string[], string])[] = [
      [["name=Pair"], "Pair"],
      [['name:="Json"'], "Json"],
      [["name=@name.txt"], "Text"],
      [["@args.json"], "File"],
      [["--args", '{"name":"Flag"}'], "Flag"],
      [['{"name":"Whole"}'], "Whole"],
    ];
    for (const [words, name] of ways) {
      expect((await scratch.gum(["read", "plug.reader.hello", ...words])).out).toBe(greeting(name));
    }
    for (const words of [["-"], ["--args", "-"]]) {
      const told = await scratch.gum(["read", "plug.reader.hello", ...words], { input: '{"name":"Stdin"}' });
      expect(told.out).toBe(greeting("Stdin"));
    }
  });

  test("D8 --meta puts the envelope around the answer, and its model is published", async () => {
    for (const [words, model] of [
      [["call", "plug.reader.hello", "--risk=read"], "call"],
      [["read", "plug.reader.hello"], "read"],
    ] as const) {
      const { out } = await scratch.gum([...words, "name=Ada", "--meta", "--no-cache", "--timeout", "20s"]);
      const schema = cliSchemas[`cli/${model}.v1`];
      if (schema === undefined) throw new Error(`no model ${model}`);
      expect(v.parse(schema, JSON.parse(out))).toMatchObject({
        _meta: { op_id: "reader.hello", plugin: "reader", version: "0.1.0" },
      });
    }
  });

  test("D1 a variant is pinned by --variant-id, and an unknown one is not found", async () => {
    const pinned = ["--variant-id", "reader.hello.mcp-plugin.v1", "name=Ada"];
    expect((await scratch.gum(["read", "reader.hello", ...pinned])).out).toBe(greeting("Ada"));
    const unknown = ["read", "reader.hello", "--variant-id", "reader.hello.v9", "name=Ada"];
    expect((await failure(scratch, unknown)).slice(0, 2)).toEqual([10, "VARIANT_NOT_FOUND"]);
    const [code, error] = await failure(scratch, ["read", "plug.reader.helo"]);
    expect([code, error]).toEqual([10, "OP_NOT_FOUND"]);
  });
});

describe("prompts and resources", () => {
  test("a prompt is filled in, and without a name they are listed", async () => {
    expect(await answer(scratch, ["plugin", "prompt", "resources"])).toEqual({
      prompts: [{ name: "greet" }],
    });
    expect((await scratch.gum(["plugin", "prompt", "resources"])).out).toBe("greet\tgreet\n");
    const filled = ["plugin", "prompt", "resources", "greet", "name=Ada"];
    expect(await answer(scratch, filled)).toEqual({
      messages: [{ role: "user", content: { type: "text", text: "Greet Ada" } }],
    });
    expect((await scratch.gum(filled)).out).toBe("user: Greet Ada\n");
    const [code, error] = await failure(scratch, ["plugin", "prompt", "resources", "greet", "name:=1"]);
    expect([code, error]).toEqual([2, "USAGE"]);
  });

  test("a resource is read, an unknown one is not found, and without a URI they are listed", async () => {
    const read = ["plugin", "resource", "resources", "note://one"];
    expect(await answer(scratch, read)).toEqual({
      contents: [{ uri: "note://one", mimeType: "text/plain", text: "first note" }],
    });
    expect((await scratch.gum(read)).out).toBe("first note\n");
    expect(await failure(scratch, ["plugin", "resource", "resources", "note://nine"])).toEqual([
      10,
      "RESOURCE_NOT_FOUND",
      'The plugin "resources" refused resources/read: Resource not found',
    ]);
    expect((await answer(scratch, ["plugin", "resource", "resources"])).resources).toHaveLength(2);
  });

  test("a plugin with tools alone has neither, and one that is not there is not found", async () => {
    expect(await answer(scratch, ["plugin", "prompt", "reader"])).toEqual({ prompts: [] });
    expect((await scratch.gum(["plugin", "resource", "reader"])).err).toBe("reader has no resources.\n");
    expect((await failure(scratch, ["plugin", "prompt", "nobody", "x"]))[1]).toBe("PLUGIN_NOT_FOUND");
  });
});

describe("gum plugin logs", () => {
  const kept = (id: string): string => join(scratch.folder, ".cache/gum/default/logs", `${id}.log`);

  test("W1 the stderr of the last session that wrote anything is kept, privately", async () => {
    expect(await answer(scratch, ["plugin", "logs", "reader"])).toEqual({
      plugin: "reader",
      at: null,
      lines: [],
    });
    expect(existsSync(kept("reader"))).toBe(false);
    expect((await failure(scratch, ["read", "plug.crash-call.crash"]))[1]).toBe("SERVICE_DOWN");
    expect((await answer(scratch, ["plugin", "logs", "crash-call"])).lines).toEqual(["about to fail"]);
    expect((await scratch.gum(["plugin", "logs", "crash-call"])).out).toBe("about to fail\n");
    expect(statSync(kept("crash-call")).mode & 0o777).toBe(0o600);
  });

  test("only as many lines as were asked for, and never another file", async () => {
    writeFileSync(kept("crash-call"), "one\ntwo\nthree\n");
    expect((await scratch.gum(["plugin", "logs", "crash-call", "--lines", "2"])).out).toBe("two\nthree\n");
    expect((await failure(scratch, ["plugin", "logs", "../../state"]))[1]).toBe("PLUGIN_NOT_FOUND");
    expect((await scratch.gum(["plugin", "remove", "crash-call", "--purge", "--yes"])).code).toBe(0);
    expect(existsSync(kept("crash-call"))).toBe(false);
  });

  test("W1 what is kept is bounded, with its control characters escaped", async () => {
    const folder = scratch.plugin("hello", "loud", [
      ['"hello",\n  "name"', '"loud",\n  "name"'],
      ["io.example.hello", "io.example.loud"],
    ]);
    const program = join(folder, "bin/hello-mcp");
    const text = readFileSync(program, "utf8").replace(
      "for line in sys.stdin:",
      'for n in range(20000):\n    print(f"\\x1b[31mline {n}", file=sys.stderr)\nfor line in sys.stdin:',
    );
    writeFileSync(program, text);
    expect((await scratch.gum(["plugin", "install", folder, "--yes"])).code).toBe(0);
    expect((await scratch.gum(["read", "plug.loud.hello", "name=Ada"])).out).toBe(greeting("Ada"));
    expect(statSync(kept("loud")).size).toBeLessThanOrEqual(64 * 1024);
    const { lines } = await answer(scratch, ["plugin", "logs", "loud", "--lines", "3"]);
    expect(lines).toEqual(["\\x1b[31mline 19997", "\\x1b[31mline 19998", "\\x1b[31mline 19999"]);
  });
});
