import { afterEach, describe, expect, test } from "bun:test";
import type { GumError } from "../../src/base/errors.ts";
import { failureEnvelope } from "../../src/model/envelope.ts";
import type { Plumbing } from "../../src/model/session.ts";
import { countsAsCrash } from "../../src/wire/failure.ts";
import { openHandshake } from "../../src/wire/handshake.ts";
import { mapPluginError } from "../../src/wire/map-error.ts";
import { handshakeLine, openSide, type SideWishes, sideManifest } from "./lines.ts";
import { endAll, failureOf, host, until } from "./start.ts";

afterEach(endAll);

const soon = { timeoutMs: 5000 };
const call = async (wishes: SideWishes = {}, tool = "echo") => (await openSide(wishes)).call(tool, {}, soon);

function facts({ code, info }: GumError) {
  return [info.failureCode, code, info.details?.cause];
}

describe("one invocation", () => {
  test("W16 the two lines are as the contract says, and the process ends", async () => {
    const started: Plumbing[] = [];
    const session = await openSide({ second: "request" }, started);
    const answer = await session.call("echo", { text: "hi" }, soon);
    expect(answer).toMatchObject({
      ok: true,
      payload: {
        success: true,
        data: {
          type: "request",
          request_id: "0123456789abcdef",
          tool_name: "echo",
          context: {},
          input: { text: "hi" },
        },
      },
    });
    expect(await started[0]?.exited).toEqual({ code: 0, signal: null });
    expect(await session.over).toBeUndefined();
  });

  test("W16 a session answers one call; a second is refused and starts nothing", async () => {
    const started: Plumbing[] = [];
    const session = await openSide({}, started);
    await session.call("echo", {}, soon);
    const error = await failureOf(session.call("echo", {}, soon));
    expect([error.code, error.info.details?.cause, started.length]).toEqual([
      "SERVICE_DOWN",
      "session_closed",
      1,
    ]);
  });

  test("W16 what the process says of itself is described, with the manifest's tools", async () => {
    const session = await openSide();
    expect(await session.describe()).toEqual({
      server: { name: "acme.side", version: "1.0.0" },
      protocolVersion: "rterm.plugin.v1",
      tools: [{ name: "echo" }],
      rejected: [],
    });
    await session.close();
    await session.close();
  });

  test("W16 metadata stands beside the data, and long numbers keep their digits", async () => {
    const second =
      '{"type":"response","request_id":"$ID","status":"ok","output":{"n":12345678901234567890},"metadata":{"ms":1.0}}\n';
    expect(await call({ second })).toEqual({
      ok: true,
      payload: { success: true, data: { n: 12345678901234567000 }, metadata: { ms: 1 } },
      text: '{"success":true,"data":{"n":12345678901234567890},"metadata":{"ms":1.0}}',
    });
  });

  test("W16 a process that does not end after its answer is ended, and the answer stands", async () => {
    const started: Plumbing[] = [];
    const session = await openSide({ after: "stay", teardownMs: 300 }, started);
    expect(await session.call("echo", {}, soon)).toMatchObject({ ok: true });
    expect((await started[0]?.exited)?.code).toBeNull();
  });

  const codes = [
    ["invalid_input", "INVALID_ARGS"],
    ["INVALID_INPUT", "INVALID_ARGS"],
    ["rate_limit", "RATE_LIMITED"],
    ["auth_expired", "AUTH_REQUIRED"],
    ["not_found", "SERVICE_DOWN"],
    ["policy_denied", "SERVICE_DOWN"],
  ] as const;
  test.each(codes)("W17 the plugin's own error %s is an answer, and %s", async (code, stable) => {
    const second = `{"type":"response","request_id":"$ID","status":"error","error":{"code":"${code}","message":"no"}}\n`;
    const answer = await call({ second });
    if (answer.ok) throw new Error("Expected an error");
    const error = mapPluginError(answer.error);
    expect([error.code, error.info.sourceErrorCode, error.info.failureCode]).toEqual([
      stable,
      code,
      undefined,
    ]);
  });
});

describe("the nine failures", () => {
  test("W17 launch_failed: nothing was executed", async () => {
    const launch = async (): Promise<Plumbing> => {
      throw Object.assign(new Error("spawn ENOENT"), { code: "ENOENT" });
    };
    const spec = {
      protocol: "rterm.plugin.v1",
      plugin_id: "x",
      launch_timeout_ms: 1,
      handshake_timeout_ms: 1,
      timeout_ms: 1,
      teardown_timeout_ms: 1,
    };
    const error = await failureOf(
      openHandshake(host, launch, { plugin: "puppet", spec, granted: [], requestId: "1" }),
    );
    expect(facts(error)).toEqual(["launch_failed", "SERVICE_DOWN", "interpreter_not_found"]);
    expect(failureEnvelope(error)).toMatchObject({
      failure_code: "launch_failed",
      error_code: "SERVICE_DOWN",
    });
  });

  const without = (key: keyof typeof sideManifest): object => ({ ...sideManifest, [key]: undefined });
  const firstLines: readonly (readonly [name: string, line: string])[] = [
    ["another type", '{"type":"response","manifest":{}}'],
    ["no manifest", '{"type":"handshake"}'],
    ["a manifest that is a list", '{"type":"handshake","manifest":[]}'],
    ["no protocol_version", handshakeLine(without("protocol_version"))],
    ["a protocol_version that is a number", handshakeLine({ ...sideManifest, protocol_version: 1 })],
    ["no plugin_id", handshakeLine(without("plugin_id"))],
    ["an empty plugin_id", handshakeLine({ ...sideManifest, plugin_id: "" })],
    ["another plugin_id", handshakeLine({ ...sideManifest, plugin_id: "acme.other" })],
    ["no plugin_version", handshakeLine(without("plugin_version"))],
    ["no exposed_tools", handshakeLine(without("exposed_tools"))],
    ["exposed_tools that are null", handshakeLine({ ...sideManifest, exposed_tools: null })],
    ["exposed_tools with a number", handshakeLine({ ...sideManifest, exposed_tools: ["echo", 1] })],
    ["a plugin_id twice", handshakeLine().replace('"plugin_version"', '"plugin_id":"x","plugin_version"')],
  ];
  test.each(firstLines)("W17 handshake_failed: %s", async (_, line) => {
    const error = await failureOf(call({ first: `${line}\n` }));
    expect(facts(error)).toEqual(["handshake_failed", "SERVICE_DOWN", "handshake_refused"]);
    expect([error.info.details?.raw_line, error.info.details?.stderr_tail]).toEqual([line, "started\n"]);
    expect(countsAsCrash(error)).toBe(true);
  });

  test("W17 handshake_failed: a line that breaks off with the process", async () => {
    const error = await failureOf(call({ first: '{"type":"hand', after: "exit-after-first" }));
    expect(facts(error)).toEqual(["handshake_failed", "SERVICE_DOWN", "handshake_refused"]);
  });

  test("W17 timeout: no handshake in time, which counts as a crash", async () => {
    const started: Plumbing[] = [];
    const error = await failureOf(openSide({ first: "-", handshakeMs: 200 }, started));
    expect(facts(error)).toEqual(["timeout", "PLUGIN_TIMEOUT", "no_answer"]);
    expect((await started[0]?.exited)?.signal).toBe("SIGKILL");
  });

  test("W17 T24 timeout: no response in time, which ends the process and is no crash by itself", async () => {
    const started: Plumbing[] = [];
    const session = await openSide({ second: "-" }, started);
    const error = await failureOf(session.call("echo", {}, { timeoutMs: 300 }));
    expect([...facts(error), error.info.details?.timeout_ms]).toEqual([
      "timeout",
      "PLUGIN_TIMEOUT",
      undefined,
      300,
    ]);
    expect((await started[0]?.exited)?.signal).toBe("SIGKILL");
    expect(await session.over).toBe(error);
  });

  test("W17 timeout: half a line is no response", async () => {
    const session = await openSide({ second: '{"type":', after: "stay" });
    const error = await failureOf(session.call("echo", {}, { timeoutMs: 300 }));
    expect(facts(error)).toEqual(["timeout", "PLUGIN_TIMEOUT", undefined]);
    expect(error.info.details?.unfinished_line).toBe('{"type":');
  });

  test("W17 crashed: an end before the handshake, and before the response", async () => {
    const early = await failureOf(call({ first: "", after: "exit-after-first" }));
    expect(facts(early)).toEqual(["crashed", "SERVICE_DOWN", "exit_code"]);
    expect(early.info.details?.exit).toEqual({ code: 3, signal: null });
    expect(early.message).toBe(
      'The plugin "puppet" ended by itself with exit code 3 before it had answered the handshake.',
    );
    const late = await failureOf(call({ second: "", after: "exit" }));
    expect(facts(late)).toEqual(["crashed", "SERVICE_DOWN", "exit_code"]);
    expect(countsAsCrash(late)).toBe(true);
  });

  test("W17 crashed: a process that is gone before it is asked", async () => {
    const started: Plumbing[] = [];
    const session = await openSide({ after: "exit-after-first" }, started);
    await started[0]?.exited;
    expect(facts(await failureOf(session.call("echo", {}, soon)))).toEqual([
      "crashed",
      "SERVICE_DOWN",
      "exit_code",
    ]);
  });

  test("W17 malformed_response: the line is shown", async () => {
    const error = await failureOf(call({ second: "Traceback\n" }));
    expect(facts(error)).toEqual(["malformed_response", "SERVICE_DOWN", "stdout_not_protocol"]);
    expect(error.message).toBe(
      'The plugin "puppet" answered the request with a line that is not JSON: "Traceback".',
    );
  });

  test("W17 tool_not_exposed: the tool is not in the handshake", async () => {
    const error = await failureOf(call({}, "other"));
    expect(facts(error)).toEqual(["tool_not_exposed", "OP_NOT_FOUND", undefined]);
    expect(error.info.details?.exposed_tools).toEqual(["echo"]);
  });

  test("W17 protocol_version_mismatch: another protocol", async () => {
    const first = `${handshakeLine({ ...sideManifest, protocol_version: "rterm.plugin.v2" })}\n`;
    const error = await failureOf(call({ first }));
    expect(facts(error)).toEqual(["protocol_version_mismatch", "SERVICE_DOWN", "protocol_version"]);
  });

  test("W17 type comes first, then protocol, ids, tool and capabilities", async () => {
    const wrongs: [keyof typeof wrong, string][] = [
      ["type", "handshake_failed"],
      ["protocol", "protocol_version_mismatch"],
      ["ids", "handshake_failed"],
      ["tool", "tool_not_exposed"],
      ["capabilities", "capability_not_allowed"],
    ];
    const wrong = {
      type: (line: string) => line.replace('"type":"handshake"', '"type":"hello"'),
      protocol: (line: string) => line.replace("rterm.plugin.v1", "rterm.plugin.v9"),
      ids: (line: string) => line.replace("acme.side", "acme.other"),
      tool: (line: string) => line.replace('["echo"]', "[]"),
      capabilities: (line: string) => line.replace('"exposed_tools"', '"capabilities":["x"],"exposed_tools"'),
    };
    for (const [index, [, kind]] of wrongs.entries()) {
      // From this check on everything is wrong; it is this one that is told.
      const first = wrongs.slice(index).reduce((line, [name]) => wrong[name](line), `${handshakeLine()}\n`);
      expect([first, facts(await failureOf(call({ first })))[0]]).toEqual([first, kind]);
    }
  });
});

describe("capabilities", () => {
  const declared = (capabilities: unknown) => `${handshakeLine({ ...sideManifest, capabilities })}\n`;
  const outcome = async (capabilities: unknown, granted: readonly string[]): Promise<unknown> => {
    const first = capabilities === undefined ? `${handshakeLine()}\n` : declared(capabilities);
    return call({ first, granted }).then(
      () => "ok",
      (error: GumError) => [error.info.failureCode, error.code].join(" "),
    );
  };
  const notDeclared = "capability_not_declared POLICY_DENIED";
  const notAllowed = "capability_not_allowed POLICY_DENIED";
  const cases: readonly (readonly [name: string, declared: unknown, granted: string[], string])[] = [
    ["nothing declared, nothing granted", undefined, [], "ok"],
    ["null declared, nothing granted", null, [], "ok"],
    ["an empty list, nothing granted", [], [], "ok"],
    ["an empty list, something granted", [], ["a"], "ok"],
    ["what was granted", ["a"], ["a", "b"], "ok"],
    ["nothing declared, something granted", undefined, ["a"], notDeclared],
    ["null declared, something granted", null, ["a"], notDeclared],
    ["an empty name", [""], ["a"], notDeclared],
    ["an empty name, nothing granted", [""], [], notDeclared],
    ["a padded name", [" a"], ["a"], notDeclared],
    ["a name with a newline behind", ["a\n"], ["a"], notDeclared],
    ["a name twice", ["a", "a"], ["a"], notDeclared],
    ["a number", [1], ["a"], notDeclared],
    ["a text instead of a list", "a", ["a"], notDeclared],
    ["an object", { a: true }, ["a"], notDeclared],
    ["more than was granted", ["a", "b"], ["a"], notAllowed],
    ["something, nothing granted", ["a"], [], notAllowed],
    ["another case", ["A"], ["a"], notAllowed],
    ["a wildcard", ["*"], ["a"], notAllowed],
  ];
  test.each(cases)("W18 %s", async (_, capabilities, granted, expected) => {
    expect(await outcome(capabilities, granted)).toBe(expected);
  });

  test("W18 a refusal names what was wanted and how it is granted, and is no crash", async () => {
    const error = await failureOf(call({ first: declared(["net.out", "fs"]), granted: [] }));
    expect([error.message, error.info.hint, countsAsCrash(error)]).toEqual([
      'The plugin "puppet" wants the capability "net.out", which was not granted.',
      "grant it with --grant net.out at install, or with `gum plugin grant <id> net.out`",
      false,
    ]);
    expect(error.info.details?.capabilities).toEqual(["net.out", "fs"]);
  });
});

describe("a trial without a call", () => {
  test("C14 the first line alone is exchanged, and the process ends", async () => {
    const started: Plumbing[] = [];
    const session = await openSide({ second: "-" }, started);
    await session.probe(5000);
    expect(await started[0]?.exited).toEqual({ code: 0, signal: null });
    await session.close();
  });

  test("C14 every tool of the manifest must be exposed, and capabilities granted", async () => {
    const missing = await openSide({ tools: ["echo", "other"] });
    expect(facts(await failureOf(missing.probe(5000)))[0]).toBe("tool_not_exposed");
    const first = `${handshakeLine({ ...sideManifest, capabilities: ["x"] })}\n`;
    expect(facts(await failureOf((await openSide({ first })).probe(5000)))[0]).toBe("capability_not_allowed");
  });

  test("W4 a session that is closed while it waits ends at once", async () => {
    const started: Plumbing[] = [];
    const session = await openSide({ second: "-", teardownMs: 300 }, started);
    const waiting = failureOf(session.call("echo", {}, { timeoutMs: 60_000 }));
    await until(() => started.length === 1);
    await session.close();
    expect((await waiting).info.details?.cause).toBe("session_closed");
    await started[0]?.exited;
  });

  test("an abort ends the process and is passed on as it is", async () => {
    const started: Plumbing[] = [];
    const session = await openSide({ second: "-" }, started);
    const stop = new AbortController();
    const waiting = session.call("echo", {}, { timeoutMs: 60_000, signal: stop.signal });
    stop.abort("enough");
    expect(await waiting.catch((error: unknown) => error)).toBe("enough");
    await started[0]?.exited;
  });
});
