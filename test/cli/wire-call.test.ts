import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import * as v from "valibot";
import { cliSchemas } from "../../src/cli/schemas.ts";
import { createScratch } from "./real-world.ts";

const root = join(import.meta.dir, "../..");
const echo = join(root, "examples/echo-jsonl/bin/echo-jsonl");
const side = join(root, "examples/echo-handshake/bin/echo-handshake");
const python = ["/usr/bin/python3", "-I", "-S", "-c"];

/** Runs the command as a process of its own, which owns its stdin. */
async function gum(words: readonly string[], input: string) {
  await using scratch = createScratch();
  const child = Bun.spawn([process.execPath, join(root, "src/main.ts"), ...words], {
    cwd: scratch.folder,
    env: { HOME: scratch.folder, PATH: "/usr/bin:/bin", BUN_FAR_FETCHED: "1", OWN: "mine" },
    stdin: new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
    timeout: 20_000,
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { out, err, code, lines: linesOf(out) };
}

/** Every line by the published model. */
function linesOf(out: string): Record<string, unknown>[] {
  const model = cliSchemas["cli/wire-call.v1"];
  if (model === undefined) throw new Error("There is no model for wire call");
  return out
    .split("\n")
    .filter((line) => line.startsWith('{"number"'))
    .map((line) => {
      const value = JSON.parse(line);
      v.parse(model, value);
      return value;
    });
}

async function once(words: readonly string[]) {
  await using scratch = createScratch();
  const said = await scratch.gum(["wire", "call", ...words]);
  return { ...said, lines: linesOf(said.out) };
}

function failureIn(lines: readonly Record<string, unknown>[], index = 0) {
  const { failure_code, error_code, rpc_code, raw_line } = Object(lines[index]?.failure);
  return [lines[index]?.kind, failure_code, error_code, rpc_code, raw_line];
}

describe("newline JSON", () => {
  test("W14 all lines of stdin go to one process, and its own errors are answers", async () => {
    const program = `import json,os,sys
for line in sys.stdin:
    r = json.loads(line)
    a = {"id": r["id"]}
    if r["method"] == "no":
        a["error"] = {"code": -32601, "message": "no such method", "data": r.get("params")}
    else:
        a["result"] = [os.getpid(), r.get("params"), os.environ.get("OWN"), os.environ.get("BUN_FAR_FETCHED")]
    print(json.dumps(a), flush=True)`;
    const input = 'who\n\n  who   {"a": [1, 2]}  \r\nno "x"\nwho null';
    const { lines, code, err } = await gum(
      ["wire", "call", "--wire", "jsonl", "--", ...python, program],
      input,
    );
    expect([code, err]).toEqual([0, ""]);
    const pid = Array.isArray(lines[0]?.result) ? lines[0]?.result[0] : undefined;
    expect(lines.map(({ ms, ...line }) => line)).toEqual([
      { number: 1, method: "who", kind: "result", result: [pid, null, "mine", null] },
      { number: 2, method: "who", kind: "result", result: [pid, { a: [1, 2] }, "mine", null] },
      {
        number: 3,
        method: "no",
        kind: "error",
        error: { code: -32601, message: "no such method", data: "x" },
      },
      { number: 4, method: "who", kind: "result", result: [pid, null, "mine", null] },
    ]);
  });

  test("W14 a script can wait for an answer before it asks on", async () => {
    await using scratch = createScratch();
    const words = ["wire", "call", "--wire", "jsonl", "--", echo];
    const child = Bun.spawn([process.execPath, join(root, "src/main.ts"), ...words], {
      cwd: scratch.folder,
      env: { HOME: scratch.folder, PATH: "/usr/bin:/bin" },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
      timeout: 20_000,
    });
    const reader = child.stdout.getReader();
    for (const text of ["one", "two"]) {
      child.stdin.write(`echo {"text":"${text}"}\n`);
      await child.stdin.flush();
      const { value } = await reader.read();
      expect(JSON.parse(new TextDecoder().decode(value))).toMatchObject({ kind: "result", result: { text } });
    }
    child.stdin.end();
    expect(await child.exited).toBe(0);
  });

  test("W14 --method and --params make one call, and digits stay as they were written", async () => {
    const program =
      'import sys; sys.stdin.readline(); print(\'{"id":1,"result":[12345678901234567890,1e400]}\')';
    const words = ["--wire", "jsonl", "--method", "x", "--params", "[1]", "--", ...python, program];
    const { out, code } = await once(words);
    expect([code, out.slice(out.indexOf('"kind"'))]).toEqual([
      0,
      '"kind":"result","result":[12345678901234567890,1e400]}\n',
    ]);
  });

  test("W13 failures of the host are told apart, with the raw line", async () => {
    const call = (...program: string[]) =>
      once(["--wire", "jsonl", "--timeout", "300ms", "--method", "x", "--", ...program]);
    const missing = await call("/no/such/program");
    expect([failureIn(missing.lines), missing.code]).toEqual([
      ["failure", "SpawnFailed", "SERVICE_DOWN", undefined, undefined],
      5,
    ]);
    const unknown = await call("no-such-program-on-the-path");
    expect(failureIn(unknown.lines).slice(0, 2)).toEqual(["failure", "SpawnFailed"]);
    const silent = await call(...python, "import sys; sys.stdin.read()");
    expect([failureIn(silent.lines), silent.code]).toEqual([
      ["failure", "Timeout", "PLUGIN_TIMEOUT", undefined, undefined],
      5,
    ]);
    const chatty = await call(...python, "import sys; sys.stdin.readline(); print('hello')");
    expect(failureIn(chatty.lines)).toEqual(["failure", "InvalidJson", "SERVICE_DOWN", -32700, "hello"]);
    const wrong = await call(...python, "import sys; sys.stdin.readline(); print('{}')");
    expect(failureIn(wrong.lines)).toEqual(["failure", "InvalidResponse", "SERVICE_DOWN", -32600, "{}"]);
  });

  test("W13 after a crash every later line of stdin is told the same", async () => {
    const program = "import sys; sys.stdin.readline(); sys.exit(4)";
    const { lines, code } = await gum(
      ["wire", "call", "--wire", "jsonl", "--", ...python, program],
      "one\ntwo\nthree\n",
    );
    expect(lines.map((_, index) => failureIn(lines, index)[1])).toEqual([
      "PluginCrashed",
      "PluginCrashed",
      "PluginCrashed",
    ]);
    expect([code, Object(Object(lines[2]?.failure).details).exit]).toEqual([5, { code: 4, signal: null }]);
  });

  test("W14 a line that is not a method and JSON is USAGE, after the calls before it", async () => {
    const { lines, err, code } = await gum(
      ["wire", "call", "--wire", "jsonl", "--", echo],
      "ping\necho {x}\n",
    );
    expect([lines.length, code]).toEqual([1, 2]);
    expect(err).toStartWith(
      'gum: error USAGE: Line 2 is not a method and JSON: the params of "echo" are not JSON.',
    );
  });
});

describe("handshake", () => {
  test("W14 each line is a process of its own, with the capabilities that are granted", async () => {
    const words = ["wire", "call", "--wire", "handshake", "--grant", "text.echo", "--", side];
    const { lines, code } = await gum(words, 'echo {"text":"hi"}\necho {}\nother\n');
    expect(lines.map(({ kind, result, metadata, error }) => [kind, result, metadata, error])).toEqual([
      ["result", { text: "hi" }, { length: 2 }, undefined],
      ["error", undefined, undefined, { code: "invalid_input", message: "echo needs a text" }],
      ["failure", undefined, undefined, undefined],
    ]);
    expect([failureIn(lines, 2).slice(1, 3), code]).toEqual([["tool_not_exposed", "OP_NOT_FOUND"], 10]);
  });

  test("W17 what is bound and granted on the command line is checked", async () => {
    const call = async (...flags: string[]) =>
      failureIn((await once(["--wire", "handshake", "--method", "echo", ...flags, "--", side])).lines)[1];
    expect(await call()).toBe("capability_not_allowed");
    expect(await call("--plugin-id", "other")).toBe("handshake_failed");
    expect(await call("--protocol", "rterm.plugin.v9")).toBe("crashed");
  });
});

test("W14 the version of the protocol is shown by gum wire --help and gum version --json", async () => {
  await using scratch = createScratch();
  expect((await scratch.gum(["wire", "--help"])).out).toContain("PROTOCOL_VERSION = 1");
  const { protocols } = JSON.parse((await scratch.gum(["version", "--json"])).out);
  expect([protocols.jsonl, protocols.handshake]).toEqual([[1], ["rterm.plugin.v1"]]);
});

const mistakes: readonly (readonly [words: string[], sentence: string])[] = [
  [["--", "x"], "Say which protocol: --wire jsonl or --wire handshake."],
  [["--wire", "jsonl"], "Name the program after --."],
  [["--wire", "jsonl", "--params", "1", "--", "x"], "The flag --params needs --method."],
  [["--wire", "jsonl", "--method", "a", "--params", "{", "--", "x"], "The flag --params is not JSON."],
];
test.each(mistakes)("gum wire call %p is USAGE", async (words, sentence) => {
  const { code, err } = await once(words);
  expect([code, err.split("\n")[0]]).toEqual([2, `gum: error USAGE: ${sentence}`]);
});
