import { describe, expect, test } from "bun:test";
import { appendFileSync, chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { refusalOf } from "../steps/run-step.ts";
import { callerIn, rewrite } from "./calls.ts";
import { installFrom, scratch } from "./scratch.ts";

const hello = "plug.hello.hello";
const ada = { name: "Ada" };
const writing = (manifest: Record<string, unknown>): void => {
  manifest.declared_capabilities = { network: false, fs_write_dir: ".", env_allow: [] };
};

describe("crashes and drift", () => {
  const crash = "plug.crash-call.crash";

  test("C7 a crash rests the plugin, one call may try it after that, and an answer clears it", async () => {
    using home = scratch();
    const caller = await callerIn(home);
    await installFrom(caller.kernel, home.plugin("crash-call"));
    const died = await refusalOf(() => caller.call(crash));
    expect([died.code, died.info.details?.cause]).toEqual(["SERVICE_DOWN", "exit_code"]);
    const started = caller.started();
    const resting = await refusalOf(() => caller.call("plug.crash-call.hello"));
    expect(resting.code).toBe("PLUGIN_QUARANTINED");
    expect(resting.info.retryAfterMs).toBeGreaterThan(25_000);
    expect(resting.info.details?.next_retry_at).toBe((await caller.state()).next_retry_at);
    expect(caller.started()).toBe(started);
    caller.wait(31_000);
    expect((await caller.call("plug.crash-call.hello")).payload.data).toBe("still here");
    const { quarantined, retry_count, next_retry_at } = await caller.state();
    expect([quarantined, retry_count, next_retry_at]).toEqual([false, 0, null]);
  });

  test("C7 a second crash rests it for a minute", async () => {
    using home = scratch();
    const caller = await callerIn(home);
    await installFrom(caller.kernel, home.plugin("crash-call"));
    await refusalOf(() => caller.call(crash));
    caller.wait(31_000);
    await refusalOf(() => caller.call(crash));
    expect((await caller.state()).backoff_step).toBe(2);
    const resting = await refusalOf(() => caller.call("plug.crash-call.hello"));
    expect(resting.info.retryAfterMs).toBeGreaterThan(55_000);
  });

  test("C8 one slow call is no crash, three in a row are, across processes", async () => {
    using home = scratch();
    const slow = { timeoutMs: 100 };
    await installFrom(await home.kernel(), home.plugin("late-answer"));
    for (let count = 1; count <= 3; count++) {
      const caller = await callerIn(home);
      const error = await refusalOf(() => caller.call("plug.late-answer.slow", {}, slow));
      expect(error.code).toBe("PLUGIN_TIMEOUT");
      expect([count, (await caller.state()).quarantined]).toEqual([count, count === 3]);
    }
  });

  test("C9 a changed executable is refused, quarantined for good, and a later call starts nothing", async () => {
    using home = scratch();
    const caller = await callerIn(home);
    await installFrom(caller.kernel, home.plugin("hello"));
    await caller.call(hello, ada);
    const { lock } = JSON.parse(`{"lock":${readFileSync(join(home.dataDir, "plugins.lock"), "utf8")}}`) as {
      lock: { plugins: { executable_path: string }[] };
    };
    const path = lock.plugins[0]?.executable_path ?? "";
    chmodSync(path, 0o755);
    appendFileSync(path, "\n");
    const before = caller.started();
    expect((await refusalOf(() => caller.call(hello, ada))).code).toBe("PLUGIN_EXECUTABLE_UNTRUSTED");
    const { permanent_quarantine, last_error_code } = await caller.state();
    expect([permanent_quarantine, last_error_code]).toEqual([true, "PLUGIN_EXECUTABLE_UNTRUSTED"]);
    caller.wait(1e10);
    expect((await refusalOf(() => caller.call(hello, ada))).code).toBe("PLUGIN_QUARANTINED");
    expect(caller.started()).toBe(before);
  });

  test("T28 tools that differ from the pin are refused before a call reaches them, and quarantined", async () => {
    using home = scratch();
    const caller = await callerIn(home);
    // It counts its starts in its home: the trial's home was another, so the first call sees what was pinned.
    await installFrom(caller.kernel, home.plugin("drift", writing));
    expect((await caller.call("plug.drift.hello")).payload.success).toBe(true);
    const error = await refusalOf(() => caller.call("plug.drift.hello"));
    expect([error.code, error.info.details?.changed]).toEqual(["PLUGIN_TOOLS_DRIFT", ["hello"]]);
    expect((await caller.state()).permanent_quarantine).toBe(true);
  });
});

describe("progress and cancellation", () => {
  test("D9 what the plugin says about its progress reaches the caller", async () => {
    using home = scratch();
    const caller = await callerIn(home);
    await installFrom(caller.kernel, home.plugin("progress"));
    const seen: unknown[] = [];
    await caller.call("plug.progress.count", { steps: 2 }, { onProgress: (progress) => seen.push(progress) });
    expect(seen).toEqual([
      { progress: 1, total: 2, message: "step 1" },
      { progress: 2, total: 2, message: "step 2" },
    ]);
  });

  test("D9 a caller who goes away cancels the plugin's call, and the plugin is not blamed", async () => {
    using home = scratch();
    const plugin = rewrite(home.plugin("progress", writing), (text) =>
      text
        .replace("cancelled.append(", 'open("cancelled", "w").close(); cancelled.append(')
        .replace("import json", "import json, os; os.chdir(os.environ['HOME'])"),
    );
    await installFrom(await home.kernel(), plugin);
    const stop = new AbortController();
    const caller = await callerIn(home, { signal: stop.signal });
    const reason = new Error("gum was interrupted");
    const ended = await caller
      .call("plug.progress.wait", {}, { onProgress: () => stop.abort(reason) })
      .catch((error: unknown) => error);
    expect(String(ended)).toContain("gum was interrupted");
    expect(existsSync(join(home.dataDir, "plugin-data/progress/home/cancelled"))).toBe(true);
    expect((await caller.state()).quarantined).toBe(false);
  });
});
