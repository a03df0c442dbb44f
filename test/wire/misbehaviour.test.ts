import { afterEach, expect, test } from "bun:test";
import type { GumError } from "../../src/base/errors.ts";
import { countsAsCrash } from "../../src/wire/failure.ts";
import { openMcp } from "../../src/wire/mcp.ts";
import { endAll, failureOf, host, open, runs, start, startProgram, until } from "./start.ts";

afterEach(endAll);

const soon = { timeoutMs: 3000 };

function facts(error: GumError): unknown {
  const { cause, exit } = error.info.details ?? {};
  return { code: error.code, cause, exit };
}

test("W27 a plugin that never answers initialize is a timeout with that cause, and is ended", async () => {
  const plumbing = start("hang-initialize");
  const opening = openMcp(host, plumbing, { plugin: "hang", version: "1", connectTimeoutMs: 150 });
  const error = await failureOf(opening);
  expect(facts(error)).toEqual({ code: "PLUGIN_TIMEOUT", cause: "no_answer", exit: null });
  expect(error.message).toBe('The plugin "hang" did not answer initialize within 150 ms.');
  expect(await plumbing.exited).toEqual({ code: null, signal: "SIGKILL" });
});

test("W27 a plugin that never lists its tools is a timeout with that cause", async () => {
  const session = await open("hang-list", { connectTimeoutMs: 150 });
  const error = await failureOf(session.describe());
  expect(facts(error)).toEqual({ code: "PLUGIN_TIMEOUT", cause: "no_answer", exit: null });
  expect(error.message).toMatch(/^The plugin "hang-list" did not answer tools\/list within \d+ ms\.$/);
});

test("W27 a crash at start shows the exit code and the last lines of stderr", async () => {
  const error = await failureOf(open("crash-start"));
  expect(facts(error)).toEqual({ code: "SERVICE_DOWN", cause: "exit_code", exit: { code: 1, signal: null } });
  expect(error.message).toBe(
    'The plugin "crash-start" ended by itself with exit code 1 before it answered initialize.',
  );
  expect(error.info.details?.stderr_tail).toEndWith("RuntimeError: the configuration is missing\n");
  expect(countsAsCrash(error)).toBe(true);
});

test("W27 a silent exit names its code", async () => {
  expect(facts(await failureOf(open("exit-code")))).toEqual({
    code: "SERVICE_DOWN",
    cause: "exit_code",
    exit: { code: 7, signal: null },
  });
});

test("W27 a plugin ended by a signal names the signal", async () => {
  expect(facts(await failureOf(open("killed")))).toEqual({
    code: "SERVICE_DOWN",
    cause: "signal",
    exit: { code: null, signal: "SIGUSR1" },
  });
});

test("W27 a missing Python module is named with what to do", async () => {
  const error = await failureOf(open("missing-module"));
  expect(facts(error)).toMatchObject({ code: "SERVICE_DOWN", cause: "module_missing" });
  expect(error.message).toBe(
    'The plugin "missing-module" could not find the module "no_such_module_for_gum".',
  );
  expect(error.info.hint).toBe('ship the module "no_such_module_for_gum" inside the plugin\'s folder');
});

test("W27 a missing Node module is named", async () => {
  const plumbing = startProgram("/usr/bin/env", ["node", "-e", "require('no-such-module-for-gum')"]);
  const error = await failureOf(openMcp(host, plumbing, { plugin: "x", version: "1" }));
  expect(facts(error)).toMatchObject({ cause: "module_missing" });
  expect(error.message).toBe('The plugin "x" could not find the module "no-such-module-for-gum".');
});

test("W27 a missing interpreter is named", async () => {
  const error = await failureOf(open("missing-interpreter"));
  expect(facts(error)).toEqual({
    code: "SERVICE_DOWN",
    cause: "interpreter_not_found",
    exit: { code: 127, signal: null },
  });
  expect(error.message).toContain('"no-such-interpreter"');
});

test("W1 a banner on stdout ends the session and is shown", async () => {
  const error = await failureOf(open("chatty-start"));
  expect(facts(error)).toEqual({ code: "SERVICE_DOWN", cause: "stdout_not_protocol", exit: null });
  expect(error.message).toBe(
    'The plugin "chatty-start" wrote a line to stdout that is not protocol: "Starting the server...".',
  );
  expect(error.info.hint).toBe("write logs to stderr; stdout carries nothing but protocol messages");
});

test("W1 a line printed during a call fails the call and every later one, with its control characters escaped", async () => {
  const session = await open("chatty-call");
  const error = await failureOf(session.call("hello", {}, soon));
  expect(facts(error)).toMatchObject({ cause: "stdout_not_protocol" });
  expect(error.message).toContain("debug: got \\\\x1b[31mhello");
  expect(await failureOf(session.call("hello", {}, soon))).toBe(error);
  expect(await failureOf(session.describe())).toBe(error);
});

test("W27 a crash in a call fails all calls in flight with one cause, and later ones too", async () => {
  const session = await open("crash-call");
  await session.call("hello", {}, soon);
  const [first, second] = await Promise.all([
    failureOf(session.call("crash", {}, soon)),
    failureOf(session.call("hello", {}, soon)),
  ]);
  expect(facts(first)).toEqual({ code: "SERVICE_DOWN", cause: "exit_code", exit: { code: 3, signal: null } });
  expect(first.message).toBe(
    'The plugin "crash-call" ended by itself with exit code 3 in the middle of a call.',
  );
  expect(first.info.details?.stderr_tail).toBe("about to fail\n");
  expect(second).toBe(first);
  expect(await failureOf(session.call("hello", {}, soon))).toBe(first);
  expect(await session.over).toBe(first);
});

test("W27 a plugin that ends between two calls is found dead with its cause", async () => {
  const plumbing = start("hello");
  const session = await openMcp(host, plumbing, { plugin: "hello", version: "1" });
  process.kill(plumbing.pid, "SIGUSR2");
  const error = await session.over;
  expect(error?.message).toBe('The plugin "hello" was ended by SIGUSR2 between two calls.');
  if (error === undefined) throw new Error("unreachable");
  expect(await failureOf(session.call("hello", {}, soon))).toBe(error);
});

test("W27 a plugin that closes its stdout and lives on is ended", async () => {
  const plumbing = start("closes-stdout");
  const session = await openMcp(host, plumbing, { plugin: "x", version: "1" });
  expect(facts(await failureOf(session.call("hello", {}, soon)))).toEqual({
    code: "SERVICE_DOWN",
    cause: "stdout_closed",
    exit: null,
  });
  expect((await plumbing.exited).signal).toBe("SIGKILL");
});

test("W2 a plugin that closes its stdin cannot hang a call", async () => {
  const session = await open("closes-stdin");
  await session.describe();
  const error = await failureOf(session.call("hello", {}, { timeoutMs: 200 }));
  // Bun does not report that nobody can read; a runtime that does gives SERVICE_DOWN with stopped_reading.
  expect(["PLUGIN_TIMEOUT", "SERVICE_DOWN"]).toContain(error.code);
});

test("W2 a line up to the limit is read and one above it is malformed", async () => {
  const limits = { maxLineBytes: 100_000 };
  const session = await open("huge-line", { limits });
  expect(await session.call("fill", { bytes: 90_000 }, soon)).toMatchObject({ ok: true });
  const error = await failureOf(session.call("fill", { bytes: 100_000 }, soon));
  expect(facts(error)).toEqual({ code: "SERVICE_DOWN", cause: "message_malformed", exit: null });
  expect(error.message).toBe('The plugin "huge-line" wrote a line to stdout that is too long.');
});

for (const [tool, words] of [
  ["utf8", "that is not UTF-8"],
  ["nul", "with a NUL in it"],
  ["deep", "that is nested too deeply"],
] as const) {
  test(`W2 a line ${words} is malformed and no success`, async () => {
    const session = await open("bad-bytes");
    const error = await failureOf(session.call(tool, {}, soon));
    expect(facts(error)).toMatchObject({ code: "SERVICE_DOWN", cause: "message_malformed" });
    expect(error.message).toBe(`The plugin "bad-bytes" wrote a line to stdout ${words}.`);
  });
}

test("W2 half a line and then nothing is a timeout that shows the half", async () => {
  const session = await open("half-line");
  const error = await failureOf(session.call("half", {}, { timeoutMs: 150 }));
  expect(error.code).toBe("PLUGIN_TIMEOUT");
  expect(error.info.details?.unfinished_line).toBe('{"jsonrpc": "2.0", "id": 1, "resu');
});

test("W2 calls to a plugin that stopped reading time out, and what waits for it is bounded", async () => {
  const session = await open("stops-reading", { limits: { maxQueueBytes: 1_000_000 } });
  await session.describe();
  const name = "x".repeat(400_000);
  const error = await failureOf(session.call("hello", { name }, { timeoutMs: 100 }));
  expect(error.code).toBe("PLUGIN_TIMEOUT");
  expect(error.info.details?.unread_bytes).toBeGreaterThan(300_000);
  const calls = [1, 2, 3].map(() => failureOf(session.call("hello", { name }, soon)));
  for (const failed of await Promise.all(calls))
    expect(facts(failed)).toMatchObject({ cause: "stopped_reading" });
});

test("W2 a plugin that ends while a child holds its pipes is known to be dead at once", async () => {
  const session = await open("forks");
  const error = await failureOf(session.call("leave", {}, soon));
  expect(facts(error)).toEqual({ code: "SERVICE_DOWN", cause: "exit_code", exit: { code: 0, signal: null } });
  const child = Number(/left (\d+) behind/.exec(String(error.info.details?.stderr_tail))?.[1]);
  expect(child).toBeGreaterThan(0);
  await until(async () => !(await runs(child)));
});

test("W4 closing a session ends the children of the plugin too", async () => {
  const plumbing = start("forks");
  const session = await openMcp(host, plumbing, { plugin: "forks", version: "1" });
  const answer = await session.call("fork", {}, soon);
  const child = answer.ok ? Object(answer.payload).data : undefined;
  expect(await runs(child)).toBe(true);
  await session.close();
  await until(async () => !(await runs(child)));
  expect(await plumbing.exited).toEqual({ code: 0, signal: null });
});

test("W4 a plugin that serves until stdin ends is closed without a signal, and closing twice is one close", async () => {
  const plumbing = start("hello");
  const session = await openMcp(host, plumbing, { plugin: "hello", version: "1" });
  await Promise.all([session.close(), session.close()]);
  await session.close();
  expect(await plumbing.exited).toEqual({ code: 0, signal: null });
});

test("W4 a plugin that outlives its stdin gets SIGTERM and may tidy up", async () => {
  const plumbing = start("waits-for-term");
  const waits = { stdinMs: 100, terminateMs: 2000 };
  const session = await openMcp(host, plumbing, { plugin: "x", version: "1", waits });
  await session.close();
  expect(await plumbing.exited).toEqual({ code: 0, signal: null });
  expect(session.stderrTail()).toBe("tidied up\n");
});

test("W4 a plugin that ignores SIGTERM is killed", async () => {
  const plumbing = start("ignores-end");
  const waits = { stdinMs: 50, terminateMs: 100 };
  const session = await openMcp(host, plumbing, { plugin: "x", version: "1", waits });
  await session.close();
  expect(await plumbing.exited).toEqual({ code: null, signal: "SIGKILL" });
});

test("W4 by default each step of the ladder waits two seconds", async () => {
  const { defaultWaits } = await import("../../src/wire/close-ladder.ts");
  expect(defaultWaits).toEqual({ stdinMs: 2000, terminateMs: 2000 });
});

test("W4 calls in flight when a session is closed fail by name, and are not counted as a crash", async () => {
  const session = await open("progress");
  const call = failureOf(session.call("wait", {}, soon));
  await session.describe();
  await session.close();
  const error = await call;
  expect(facts(error)).toEqual({ code: "SERVICE_DOWN", cause: "session_closed", exit: null });
  expect(countsAsCrash(error)).toBe(false);
  expect(facts(await failureOf(session.call("count", {}, soon)))).toMatchObject({ cause: "session_closed" });
});
