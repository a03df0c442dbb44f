import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GumError } from "../../src/base/errors.ts";
import { exportPipelines } from "../../src/kernel/pipelines.ts";
import type { Confirmation } from "../../src/model/call.ts";
import { refusalOf } from "../steps/run-step.ts";
import { callerIn, requiring, rewrite, risking } from "./calls.ts";
import { installFrom, scratch } from "./scratch.ts";

const hello = "plug.hello.hello";
const ada = { name: "Ada" };

describe("arguments and results", () => {
  test("D5 wrong arguments are refused with every violation before any process starts", async () => {
    using home = scratch();
    const caller = await callerIn(home);
    await installFrom(caller.kernel, home.plugin("hello"));
    const before = caller.started();
    const error = await refusalOf(() => caller.call(hello, { name: 1, times: 2 }));
    expect([error.code, error.info.details]).toEqual([
      "INVALID_ARGS",
      {
        violations: [
          { pointer: "/times", message: "is not allowed" },
          { pointer: "/name", message: "must be string" },
        ],
      },
    ]);
    expect(caller.started()).toBe(before);
    // The control: the same call with right arguments starts one.
    expect((await caller.call(hello, ada)).payload).toEqual({
      success: true,
      data: { greeting: "Hello, Ada!" },
    });
    expect(caller.started()).toBe(before + 1);
  });

  test("W9 the plugin's own INVALID_INPUT becomes INVALID_ARGS with its source", async () => {
    using home = scratch();
    const caller = await callerIn(home);
    await installFrom(caller.kernel, home.plugin("hello"));
    const error = await refusalOf(() => caller.call(hello, { name: " " }));
    expect([error.code, error.info.sourceErrorCode, error.info.retryable]).toEqual([
      "INVALID_ARGS",
      "INVALID_INPUT",
      false,
    ]);
  });

  test("W30 a pattern that would take for ever is ended: by the deadline with a warning, or by the engine as no match", async () => {
    using home = scratch();
    const caller = await callerIn(home);
    const plugin = rewrite(home.plugin("hello"), (text) =>
      text.replace(
        '{"type": "string", "description"',
        '{"type": "string", "pattern": "^(\\\\w+\\\\s?)+$", "description"',
      ),
    );
    await installFrom(caller.kernel, plugin);
    expect((await caller.call(hello, ada)).payload.success).toBe(true);
    expect(caller.warnings).toEqual([]);
    const evil = `${"a".repeat(60)}!`;
    // The engine gives up by itself after a fixed number of steps; which of the two comes first depends on the machine.
    const outcome = await caller.call(hello, { name: evil }).then(
      ({ payload }) => payload,
      (error: GumError) => error.code,
    );
    if (outcome === "INVALID_ARGS") return expect(caller.warnings).toEqual([]);
    expect(outcome).toEqual({ success: true, data: { greeting: `Hello, ${evil}!` } });
    expect(caller.warnings).toEqual([
      'The request schema of "hello.hello" was not applied: it took longer than 1000 ms to apply.',
    ]);
  });
});

describe("confirmation", () => {
  const token = (text?: string): Confirmation => ({ kind: "token", token: text, keySource: "profile" });

  test("D4 a destructive call is made once for each token, by two processes, and never otherwise", async () => {
    using home = scratch();
    const first = await callerIn(home);
    await installFrom(first.kernel, home.plugin("hello", risking("destructive")));
    const before = first.started();
    const asked = await refusalOf(() =>
      first.call(hello, ada, { risk: "destructive", confirmation: token() }),
    );
    expect(asked.code).toBe("REQUIRES_CONFIRMATION");
    const given = String(asked.info.details?.token);
    const bob = await refusalOf(() => first.call(hello, { name: "Bob" }, { confirmation: token(given) }));
    expect(bob.info.details).toEqual({ reason: "altered", altered: "arguments" });
    expect(first.started()).toBe(before);

    const second = await callerIn(home);
    const answer = await second.call(hello, ada, { risk: "destructive", confirmation: token(given) });
    expect(answer.payload.success).toBe(true);
    const again = await refusalOf(() => second.call(hello, ada, { confirmation: token(given) }));
    expect([again.code, again.info.details]).toEqual(["CONFIRMATION_TOKEN_INVALID", { reason: "replayed" }]);
    expect(second.started()).toBe(1);
  });

  test("D4 a token of another profile is refused", async () => {
    using home = scratch();
    const mine = await callerIn(home);
    const yours = await callerIn(home, { profile: "work" });
    const plugin = home.plugin("hello", risking("destructive"));
    await installFrom(mine.kernel, plugin);
    await installFrom(yours.kernel, plugin);
    const asked = await refusalOf(() => mine.call(hello, ada, { confirmation: token() }));
    const error = await refusalOf(() =>
      yours.call(hello, ada, { confirmation: token(String(asked.info.details?.token)) }),
    );
    expect(error.info.details).toEqual({ reason: "other-profile" });
  });

  test("D3 a stated risk that is not the tool's is refused before anything starts", async () => {
    using home = scratch();
    const caller = await callerIn(home);
    await installFrom(caller.kernel, home.plugin("hello", risking("destructive")));
    const before = caller.started();
    expect((await refusalOf(() => caller.call(hello, ada, { risk: "read" }))).code).toBe(
      "RISK_TOOL_MISMATCH",
    );
    expect(caller.started()).toBe(before);
  });
});

describe("rate and cache", () => {
  test("D7 beyond the rate no process starts, whichever process asks", async () => {
    using home = scratch();
    const caller = await callerIn(home);
    const policy = { rate_policy: { per_minute: 1, burst: 2 } };
    await installFrom(caller.kernel, home.plugin("hello", requiring(policy)));
    await caller.call(hello, ada);
    await (await callerIn(home)).call(hello, ada);
    const before = caller.started();
    const error = await refusalOf(() => caller.call(hello, ada));
    expect([error.code, error.info.retryable]).toEqual(["RATE_LIMITED", true]);
    expect(error.info.retryAfterMs).toBeGreaterThan(30_000);
    expect(caller.started()).toBe(before);
    caller.wait(60_000);
    expect((await caller.call(hello, ada)).payload.success).toBe(true);
  });

  test("D7 a remembered answer starts nothing, says so, and ends with its time, its build and --no-cache", async () => {
    using home = scratch();
    const caller = await callerIn(home);
    await installFrom(caller.kernel, home.plugin("hello", requiring({ cache_ttl: 60 })));
    const miss = await caller.call(hello, ada);
    const started = caller.started();
    const hit = await caller.call(hello, ada);
    expect([miss.meta._cache, hit.meta._cache]).toEqual(["miss", "hit"]);
    expect([hit.payload, hit.text]).toEqual([miss.payload, miss.text]);
    expect(caller.started()).toBe(started);
    expect((await caller.call(hello, ada, { noCache: true })).meta._cache).toBeUndefined();
    expect(caller.started()).toBe(started + 1);
    caller.wait(60_000);
    expect((await caller.call(hello, ada)).meta._cache).toBe("miss");
    const upgraded = home.plugin("hello", (manifest) => {
      manifest.version = "0.2.0";
      requiring({ cache_ttl: 60 })(manifest);
    });
    await installFrom(caller.kernel, upgraded);
    expect((await caller.call(hello, ada)).meta._cache).toBe("miss");
  });

  test("P7 an edited pipeline cannot skip the check of the executable on another condition", async () => {
    using home = scratch();
    const folder = join(home.folder, "pipelines");
    await exportPipelines(await home.kernel(), folder);
    const file = join(folder, "dispatch.yaml");
    const text = readFileSync(file, "utf8");
    const whens = text.split("when: not-cached").length - 1;
    expect(whens).toBe(5);
    for (let at = 0; at < whens; at++) {
      let seen = 0;
      writeFileSync(
        file,
        text.replace(/when: not-cached/g, (found) => (seen++ === at ? "when: is-dev-profile" : found)),
      );
      const caller = await callerIn(home, { pipelinesDir: folder });
      const error = await refusalOf(() => caller.call(hello, ada));
      expect(error.code).toBe("PIPELINE_INVALID");
      expect(error.message).toEndWith('can only be skipped by "not-cached"');
    }
  });

  test("P5 a hit whose start is not skipped in all of its steps is refused, and starts nothing", async () => {
    using home = scratch();
    const folder = join(home.folder, "pipelines");
    const first = await callerIn(home);
    await installFrom(first.kernel, home.plugin("hello", requiring({ cache_ttl: 60 })));
    await first.call(hello, ada);
    await exportPipelines(first.kernel, folder);
    const file = join(folder, "dispatch.yaml");
    const text = readFileSync(file, "utf8");
    writeFileSync(
      file,
      text.replace("  - step: open-session\n    when: not-cached\n", "  - step: open-session\n"),
    );
    const caller = await callerIn(home, { pipelinesDir: folder });
    const error = await refusalOf(() => caller.call(hello, ada));
    expect([error.code, caller.started()]).toEqual(["PIPELINE_INVALID", 0]);
  });
});
