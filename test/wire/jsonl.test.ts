import { afterEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GumError } from "../../src/base/errors.ts";
import { failureEnvelope } from "../../src/model/envelope.ts";
import { countsAsCrash } from "../../src/wire/failure.ts";
import { createJsonl } from "../../src/wire/jsonl.ts";
import { mapPluginError } from "../../src/wire/map-error.ts";
import { jsonlPuppet } from "./lines.ts";
import { endAll, failureOf, host, runs, startProgram, temporaryFolder, until } from "./start.ts";

afterEach(endAll);

const soon = { timeoutMs: 5000 };

function facts({ code, info }: GumError) {
  const { cause, exit } = info.details ?? {};
  return { code, failure: info.failureCode, cause, exit };
}

describe("requests", () => {
  test("W11 a request has method, params and id in one line, and an id is never used twice", async () => {
    const { session } = jsonlPuppet();
    const asked: unknown[] = [];
    for (const params of [{ a: [1, "é\n"] }, undefined, null]) {
      const { reply } = await session.exchange("who", params, soon);
      asked.push("result" in reply ? Object(reply.result).request : reply);
    }
    expect(asked).toEqual([
      { method: "who", params: { a: [1, "é\n"] }, id: 1 },
      { method: "who", id: 2 },
      { method: "who", params: null, id: 3 },
    ]);
  });

  test("W12 the process starts with the first request and not before, and lives on", async () => {
    const { session, started } = jsonlPuppet();
    await session.describe();
    expect(started.length).toBe(0);
    const pids = await Promise.all([1, 2, 3].map(() => session.exchange("who", undefined, soon)));
    expect(started.length).toBe(1);
    expect(new Set(pids.map(({ reply }) => Object("result" in reply && reply.result).pid)).size).toBe(1);
  });

  test("W12 a session that was never used closes without a process", async () => {
    const { session, started } = jsonlPuppet();
    await session.close();
    expect(started.length).toBe(0);
    expect(facts(await failureOf(session.call("ping", {}, soon)))).toMatchObject({ cause: "session_closed" });
    expect(started.length).toBe(0);
  });

  test("W12 requests are sent one at a time, and one that gives up its turn is never sent", async () => {
    const { session } = jsonlPuppet();
    const stop = new AbortController();
    const slow = failureOf(session.call("hold", {}, { timeoutMs: 200 }));
    const left = session.call("who", {}, { ...soon, signal: stop.signal }).catch((error: unknown) => error);
    const last = session.exchange("who", {}, soon);
    stop.abort("enough");
    expect(await left).toBe("enough");
    expect(facts(await slow)).toMatchObject({ failure: "Timeout" });
    const { reply } = await last;
    expect(Object("result" in reply && reply.result).request.id).toBe(2);
  });

  test("W14 a tool is a method, and its result the data, with every digit", async () => {
    const { session } = jsonlPuppet();
    const call = (line: string) => {
      const file = join(temporaryFolder(), "line");
      writeFileSync(file, line);
      return session.call("write", { file }, soon);
    };
    expect(await call('{"id":$ID,"result":{"n":12345678901234567890}}\n')).toEqual({
      ok: true,
      payload: { success: true, data: { n: 12345678901234567000 } },
      text: '{"success":true,"data":{"n":12345678901234567890}}',
    });
    expect(await call('{"id":$ID,"result":{"success":true,"data":[1]}}\n')).toEqual({
      ok: true,
      payload: { success: true, data: [1] },
      text: '{"success":true,"data":[1]}',
    });
    expect(
      await call('{"id":$ID,"result":{"success":false,"error_code":"RATE_LIMIT","error":"slow down"}}\n'),
    ).toEqual({ ok: false, error: { code: "RATE_LIMIT", message: "slow down", retryable: false } });
  });

  const applicationErrors = [
    [-32601, "OP_NOT_FOUND"],
    [-32602, "INVALID_ARGS"],
    [-32603, "SERVICE_DOWN"],
    [-32700, "SERVICE_DOWN"],
    [42, "SERVICE_DOWN"],
  ] as const;
  test.each(applicationErrors)(
    "W13 the plugin's own error %i is an answer, and %s for whoever called a tool",
    async (code, stable) => {
      const { session, say } = jsonlPuppet();
      const line = `{"id":$ID,"error":{"code":${code},"message":"no \\u001b[2J","data":{"x":1}}}\n`;
      expect(await say(line)).toEqual({
        id: 1,
        error: { code, message: "no \u001b[2J", data: { x: 1 } },
      });
      const file = join(temporaryFolder(), "line");
      writeFileSync(file, line);
      const answer = await session.call("write", { file }, soon);
      if (answer.ok) throw new Error("Expected an error");
      const error = mapPluginError(answer.error);
      expect([error.code, error.message, error.info.sourceErrorCode, countsAsCrash(error)]).toEqual([
        stable,
        "no \\x1b[2J",
        String(code),
        false,
      ]);
    },
  );
});

describe("host failures", () => {
  test("W13 a program that cannot be started is SpawnFailed, at once and ever after", async () => {
    let tries = 0;
    const session = createJsonl(
      host,
      async () => {
        tries++;
        throw Object.assign(new Error("spawn EACCES"), { code: "EACCES" });
      },
      { plugin: "puppet" },
    );
    const first = await failureOf(session.call("ping", {}, soon));
    expect([first.code, first.info.failureCode, first.info.details?.cause]).toEqual([
      "SERVICE_DOWN",
      "SpawnFailed",
      "not_executable",
    ]);
    expect(await failureOf(session.call("ping", {}, soon))).toBe(first);
    expect(await session.over).toBe(first);
    expect(tries).toBe(1);
    await session.close();
  });

  test("W13 an exit before the answer is PluginCrashed, and every later call says the same", async () => {
    const { session, say, started } = jsonlPuppet();
    const first = await failureOf(say('{"id":$ID,"res', { exit: 7 }));
    expect(facts(first)).toEqual({
      code: "SERVICE_DOWN",
      failure: "PluginCrashed",
      cause: "exit_code",
      exit: { code: 7, signal: null },
    });
    expect(first.info.details?.unfinished_line).toBe('{"id":1,"res');
    expect(await failureOf(session.call("ping", {}, soon))).toBe(first);
    expect(await failureOf(session.exchange("ping", {}, soon))).toBe(first);
    expect([await session.over, started.length, countsAsCrash(first)]).toEqual([first, 1, true]);
    expect(failureEnvelope(first, { plugin: "puppet" })).toMatchObject({
      error_code: "SERVICE_DOWN",
      failure_code: "PluginCrashed",
      retryable: false,
    });
  });

  test("W13 a closed stdout is PluginCrashed, although the process lives, and ends it", async () => {
    const { session, started } = jsonlPuppet();
    const error = await failureOf(session.call("close-stdout", {}, soon));
    expect(facts(error)).toEqual({
      code: "SERVICE_DOWN",
      failure: "PluginCrashed",
      cause: "stdout_closed",
      exit: null,
    });
    expect((await started[0]?.exited)?.signal).toBe("SIGKILL");
  });

  test("W27 a signal and the last words are named", async () => {
    const { session } = jsonlPuppet();
    const error = await failureOf(session.call("die", {}, soon));
    expect(facts(error)).toMatchObject({ cause: "signal", exit: { code: null, signal: "SIGUSR1" } });
    expect(error.info.details?.stderr_tail).toBe("about to die\n");
  });

  test("W13 a timeout leaves the process alive, and its late answer is nobody else's", async () => {
    const { session, started } = jsonlPuppet();
    const late = await failureOf(session.call("hold", {}, { timeoutMs: 100 }));
    expect(facts(late)).toEqual({
      code: "PLUGIN_TIMEOUT",
      failure: "Timeout",
      cause: undefined,
      exit: undefined,
    });
    expect([late.info.details?.timeout_ms, late.info.details?.in_a_row, countsAsCrash(late)]).toEqual([
      100,
      1,
      false,
    ]);
    expect(await runs(started[0]?.pid ?? 0)).toBe(true);
    const { reply } = await session.exchange("late", {}, soon);
    expect(reply).toEqual({ id: 2, result: "mine" });
    expect([session.strays, started.length]).toEqual([1, 1]);
  });

  test("T24 the third timeout in a row ends the process", async () => {
    const { session, started } = jsonlPuppet();
    const one = () => failureOf(session.call("hold", {}, { timeoutMs: 50 }));
    expect(facts(await one()).cause).toBeUndefined();
    expect(facts(await one()).cause).toBeUndefined();
    await session.call("ping", {}, soon);
    expect(facts(await one()).cause).toBeUndefined();
    expect(facts(await one()).cause).toBeUndefined();
    const last = await one();
    expect(facts(last)).toEqual({
      code: "PLUGIN_TIMEOUT",
      failure: "Timeout",
      cause: "too_many_timeouts",
      exit: null,
    });
    expect(await failureOf(session.call("ping", {}, soon))).toBe(last);
    await started[0]?.exited;
  });

  test("W13 the raw line is attached, cut at 4 KiB", async () => {
    const { say } = jsonlPuppet();
    const error = await failureOf(say(`${"é".repeat(5000)}\n`));
    expect(error.info.details?.raw_line).toBe("é".repeat(2048));
    expect(error.message).toStartWith('The plugin "puppet" answered with a line that is not JSON: "ééé');
    expect(error.message.length).toBeLessThan(300);
  });

  test("W2 a line without an end is refused with bounded memory, and the process can be ended", async () => {
    const { session } = jsonlPuppet({ maxLineBytes: 1024 * 1024 });
    const before = process.memoryUsage().rss;
    const error = await failureOf(session.call("endless", {}, { timeoutMs: 1000 }));
    expect(facts(error)).toMatchObject({ failure: "InvalidJson", code: "SERVICE_DOWN" });
    expect(Buffer.byteLength(String(error.info.details?.raw_line))).toBe(4096);
    await session.close();
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  test("W2 arguments that are too long for a line never reach the process", async () => {
    const { session } = jsonlPuppet({ maxLineBytes: 1000 });
    const error = await failureOf(session.call("who", { text: "x".repeat(2000) }, soon));
    expect(error.code).toBe("INVALID_ARGS");
    expect(await session.call("ping", {}, soon)).toMatchObject({ ok: true });
  });
});

describe("the end", () => {
  test("W4 closing twice is closing once, and the exit code is not judged", async () => {
    const { session, started } = jsonlPuppet();
    await session.call("ping", {}, soon);
    await Promise.all([session.close(), session.close()]);
    expect(await started[0]?.exited).toEqual({ code: 0, signal: null });
    expect(await session.over).toBeUndefined();
  });

  test("T24 what the process has started ends with it", async () => {
    const { session } = jsonlPuppet();
    const answer = await session.call("child", {}, soon);
    const child = answer.ok ? Number(answer.payload.data) : 0;
    expect(await runs(child)).toBe(true);
    await session.close();
    await until(async () => !(await runs(child)));
  });

  test("W4 a process that ignores the end of stdin has the call's time, and is then ended", async () => {
    const { session, started } = jsonlPuppet();
    const late = failureOf(session.call("stay", {}, { timeoutMs: 300 }));
    await late;
    const start = performance.now();
    await session.close();
    expect((await started[0]?.exited)?.signal).toBe("SIGTERM");
    expect(performance.now() - start).toBeGreaterThan(290);
  });

  test("W4 when gum itself is ending the wait is two seconds at most", async () => {
    const ending = new AbortController();
    const { session, started } = jsonlPuppet({ ending: ending.signal });
    await failureOf(session.call("stay", {}, { timeoutMs: 100 }));
    // The next call's own time would be the first wait.
    const waiting = session.call("ping", {}, { timeoutMs: 60_000 }).catch(() => undefined);
    await until(() => started.length === 1);
    const start = performance.now();
    const closed = session.close();
    ending.abort();
    await Promise.all([closed, waiting]);
    const took = performance.now() - start;
    expect([took > 1900, took < 10_000]).toEqual([true, true]);
    expect((await started[0]?.exited)?.signal).toBe("SIGTERM");
  });
});

describe("a trial without a call", () => {
  const probing = (args: string[]) => {
    const session = createJsonl(host, async () => startProgram("/usr/bin/python3", ["-I", "-S", ...args]), {
      plugin: "puppet",
    });
    return session;
  };

  test("C14 the process is started, its stdin closed, and it has to end well", async () => {
    const session = probing(["-c", "import sys; sys.stdin.read()"]);
    await session.probe(5000);
    await session.close();
    expect(await session.over).toBeUndefined();
  });

  test("C14 one that fails at its start has failed, with the cause", async () => {
    const error = await failureOf(
      probing(["-c", "import sys; sys.stdin.read(); import no_such_thing"]).probe(5000),
    );
    expect(facts(error)).toMatchObject({ failure: "PluginCrashed", cause: "module_missing" });
  });

  test("C14 one that does not end has failed, and is ended", async () => {
    const error = await failureOf(probing(["-c", "import time; time.sleep(60)"]).probe(200));
    expect(facts(error)).toMatchObject({ failure: "Timeout", cause: "ignored_end" });
    expect(error.message).toBe('The plugin "puppet" did not end within 200 ms after its stdin was closed.');
  });

  test("C14 one that prints a banner has failed, and the banner is shown", async () => {
    const error = await failureOf(
      probing(["-c", "import sys; print('ready'); sys.stdin.read()"]).probe(5000),
    );
    expect(facts(error)).toMatchObject({ failure: "PluginCrashed", cause: "stdout_not_protocol" });
    expect(error.message).toContain('"ready"');
  });
});
