// Plugins of the two line protocols under the same rules as any other: installed, tried, confined, called.
import { describe, expect, test } from "bun:test";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { activeRegistry } from "../../src/kernel/activation.ts";
import { callWith } from "../../src/kernel/call.ts";
import { openServerRuntime } from "../../src/kernel/call-runtime.ts";
import { runCanary } from "../../src/kernel/canary.ts";
import { changeGrants } from "../../src/kernel/change-grants.ts";
import { createSessionPool } from "../../src/kernel/session-pool.ts";
import type { AskConsent } from "../../src/model/consent.ts";
import { readRegistry } from "../../src/registry/read-registry.ts";
import { takeSnapshot } from "../../src/registry/snapshot.ts";
import { failureOf as refusalOf } from "../wire/start.ts";
import { callerIn, rewrite } from "./calls.ts";
import { example, granting, noGrants } from "./examples.ts";
import { installFrom, scratch } from "./scratch.ts";

const yes = { kind: "flag", yes: true } as const;

describe("the examples", () => {
  test("W14 examples/echo-jsonl is installed with its trial call, and answers", async () => {
    using home = scratch();
    const caller = await callerIn(home);
    const installed = await installFrom(caller.kernel, example(home, "echo-jsonl"));
    expect([installed.ok, installed.status]).toEqual([true, "installed_pending_restart"]);
    const { payload, meta } = await caller.call("plug.echo-jsonl.echo", { text: "hello" });
    expect([payload, meta.variant_id]).toEqual([
      { success: true, data: { text: "hello" } },
      "echo-jsonl.echo.jsonl-plugin.v1",
    ]);
    expect((await caller.call("echo-jsonl.ping")).payload).toEqual({ success: true, data: "pong" });
    const refused = await refusalOf(caller.call("plug.echo-jsonl.echo", {}));
    expect([refused.code, refused.message, refused.info.sourceErrorCode]).toEqual([
      "INVALID_ARGS",
      "echo needs a text",
      "-32602",
    ]);
  });

  test("W16 examples/echo-handshake is installed with what was granted, and answers in Python", async () => {
    using home = scratch();
    const caller = await callerIn(home);
    await installFrom(caller.kernel, example(home, "echo-handshake"), granting("text.echo"));
    const before = caller.started();
    for (const text of ["one", "two"]) {
      expect((await caller.call("plug.echo-handshake.echo", { text })).payload).toEqual({
        success: true,
        data: { text },
        metadata: { length: 3 },
      });
    }
    expect(caller.started() - before).toBeGreaterThanOrEqual(2);
    const refused = await refusalOf(caller.call("plug.echo-handshake.echo", {}));
    expect([refused.code, refused.info.sourceErrorCode]).toEqual(["INVALID_ARGS", "invalid_input"]);
  });
});

describe("grants of capabilities", () => {
  test("W18 --yes and a dev profile grant nothing: the install is refused and nothing is published", async () => {
    for (const profile of ["default", "dev"]) {
      using home = scratch();
      const kernel = await home.kernel({ profile });
      const error = await refusalOf(
        installFrom(kernel, example(home, "echo-handshake"), { yes: profile !== "dev" }),
      );
      expect([error.code, error.info.failureCode]).toEqual(["POLICY_DENIED", "capability_not_allowed"]);
      expect((await readRegistry(kernel.host, kernel.profile)).lock.plugins).toEqual([]);
    }
  });

  test("W18 --grant is kept in the lock, and --canary=handshake needs it, too", async () => {
    using home = scratch();
    const kernel = await home.kernel();
    const plugin = example(home, "echo-handshake");
    const refused = await refusalOf(installFrom(kernel, plugin, { canary: "handshake" }));
    expect(refused.info.failureCode).toBe("capability_not_allowed");
    await installFrom(kernel, plugin, { canary: "handshake", ...granting("text.echo") });
    const { lock } = await readRegistry(kernel.host, kernel.profile);
    expect(lock.plugins[0]?.granted_capabilities).toEqual({ ...noGrants, capabilities: ["text.echo"] });
  });

  test("W18 a yes to the install grants nothing, a yes to the capabilities does", async () => {
    using home = scratch();
    const kernel = await home.kernel();
    const plugin = example(home, "echo-handshake");
    const asked: unknown[] = [];
    const person =
      (answer: Awaited<ReturnType<AskConsent>>): AskConsent =>
      async (summary) => {
        asked.push(summary.requested.capabilities);
        return answer;
      };
    const once = refusalOf(installFrom(kernel, plugin, { yes: false }, { askConsent: person(true) }));
    expect((await once).info.failureCode).toBe("capability_not_allowed");
    const granted = person({ capabilities: ["text.echo"] });
    const answer = await installFrom(kernel, plugin, { yes: false }, { askConsent: granted });
    expect([answer.ok, asked]).toEqual([true, [["text.echo"], ["text.echo"]]]);
    const { lock } = await readRegistry(kernel.host, kernel.profile);
    expect(lock.plugins[0]?.granted_capabilities.capabilities).toEqual(["text.echo"]);
  });

  test("W18 what is taken back is refused at the next call, without counting as a crash", async () => {
    using home = scratch();
    const caller = await callerIn(home);
    await installFrom(caller.kernel, example(home, "echo-handshake"), granting("text.echo"));
    await changeGrants(caller.kernel, "echo-handshake", "revoke", granting("text.echo").grants);
    const next = await callerIn(home);
    const error = await refusalOf(next.call("plug.echo-handshake.echo", { text: "x" }));
    expect([error.code, error.info.failureCode]).toEqual(["POLICY_DENIED", "capability_not_allowed"]);
    const state = await next.state();
    expect([state.quarantined, state.retry_count]).toEqual([false, 0]);
  });

  test("W18 a capability that the manifest does not name can still be the one that is granted", async () => {
    using home = scratch();
    const kernel = await home.kernel();
    const plugin = example(home, "echo-handshake", (manifest) => {
      delete manifest.capabilities;
    });
    expect((await installFrom(kernel, plugin, granting("text.echo", "other"))).ok).toBe(true);
  });
});

describe("trials without a call", () => {
  test("C14 a jsonl plugin that cannot start is quarantined at install, with the cause", async () => {
    using home = scratch();
    const kernel = await home.kernel();
    const plugin = rewrite(example(home, "echo-jsonl"), (text) =>
      text.replace("import sys", "import sys\nimport no_such_module"),
    );
    const { status, quarantine } = await installFrom(kernel, plugin, { canary: "handshake" });
    expect([status, quarantine?.code]).toEqual(["quarantined", "CANARY_FAILED"]);
    expect(quarantine?.reason).toContain('could not find the module "no_such_module"');
  });

  test("C14 both are tried without --live, and their pins cover the manifest's tools", async () => {
    using home = scratch();
    const kernel = await home.kernel();
    await installFrom(kernel, example(home, "echo-jsonl"), { canary: "handshake" });
    await installFrom(kernel, example(home, "echo-handshake"), granting("text.echo"));
    for (const id of ["echo-jsonl", "echo-handshake"]) {
      expect(await runCanary(kernel, id, { live: false })).toMatchObject({ ok: true, latency_ms: null });
      expect(await runCanary(kernel, id, { live: true })).toMatchObject({ ok: true, status: "active" });
    }
    const { lock, catalog } = await readRegistry(kernel.host, kernel.profile);
    expect(lock.plugins.every((row) => row.tools_sha256 !== null && row.pins !== null)).toBe(true);
    expect(
      catalog.variants.map((row) => [row.op_id, row.binding.adapter_key, row.tool_sha256 !== null]),
    ).toEqual([
      ["echo-handshake.echo", "plugin.handshake", true],
      ["echo-jsonl.echo", "plugin.jsonl", true],
      ["echo-jsonl.ping", "plugin.jsonl", true],
    ]);
  });
});

describe("confinement", () => {
  const limits = "__import__('resource').getrlimit(__import__('resource').RLIMIT_CPU)[0]";

  test("T23 only a process that answers one call has a limit of CPU seconds", async () => {
    using home = scratch();
    const caller = await callerIn(home);
    const jsonl = rewrite(example(home, "echo-jsonl"), (text) => text.replace('params["text"]', limits));
    const side = rewrite(example(home, "echo-handshake"), (text) =>
      text.replace('"output": {"text": text}', `"output": {"text": ${limits}}`),
    );
    await installFrom(caller.kernel, jsonl);
    await installFrom(caller.kernel, side, { canary: "handshake", ...granting("text.echo") });
    const ask = async (id: string) =>
      Object((await caller.call(`plug.${id}.echo`, { text: "x" })).payload.data).text;
    const own = Number(/Max cpu time\s+(\d+|unlimited)/.exec(readFileSync("/proc/self/limits", "utf8"))?.[1]);
    expect([await ask("echo-jsonl"), await ask("echo-handshake")]).toEqual([
      Number.isNaN(own) ? -1 : own,
      300,
    ]);
  });

  test("T20 neither may open a socket without network = true", async () => {
    using home = scratch();
    const caller = await callerIn(home);
    const tried = "__import__('socket').socket()";
    const jsonl = rewrite(example(home, "echo-jsonl"), (text) =>
      text.replace('params["text"]', `str(${tried})`),
    );
    await installFrom(caller.kernel, jsonl);
    const error = await refusalOf(caller.call("plug.echo-jsonl.echo", { text: "x" }));
    expect([error.code, error.info.failureCode, error.info.details?.cause]).toEqual([
      "SERVICE_DOWN",
      "PluginCrashed",
      "connect_denied",
    ]);
    expect((await caller.state()).retry_count).toBe(1);
  });

  test("T7 a changed script of a jsonl plugin is refused before any process starts", async () => {
    using home = scratch();
    const caller = await callerIn(home);
    await installFrom(caller.kernel, example(home, "echo-jsonl"));
    const { lock } = await readRegistry(caller.kernel.host, caller.kernel.profile);
    const script = join(lock.plugins[0]?.install_root ?? "", "bin/echo-jsonl");
    chmodSync(script, 0o755);
    writeFileSync(script, "#!/no/such/interpreter\n");
    const before = caller.started();
    expect((await refusalOf(caller.call("plug.echo-jsonl.ping"))).code).toBe("PLUGIN_EXECUTABLE_UNTRUSTED");
    expect(caller.started()).toBe(before);
  });
});

describe("a server", () => {
  test("W16 calls of a handshake plugin at the same time have a process each, and none is kept", async () => {
    using home = scratch();
    const { kernel } = await callerIn(home);
    await installFrom(kernel, example(home, "echo-handshake"), granting("text.echo"));
    const snapshot = takeSnapshot(await activeRegistry(kernel));
    const pool = createSessionPool(kernel.host.clock, { maxInFlight: 2 });
    const runtime = openServerRuntime(kernel, snapshot, pool);
    let most = 0;
    const one = async (text: string) => {
      const call = callWith(kernel, runtime, {
        op: "plug.echo-handshake.echo",
        args: { text },
        confirmation: yes,
      });
      most = Math.max(most, pool.size);
      return Object((await call).payload.data).text;
    };
    expect(await Promise.all(["a", "b", "c", "d"].map(one))).toEqual(["a", "b", "c", "d"]);
    expect(pool.size).toBe(0);
    expect(most).toBeLessThanOrEqual(2);
    await pool.close();
    await runtime.close();
  });

  test("W10 calls of a jsonl plugin share one process, until a grant changes", async () => {
    using home = scratch();
    const { kernel, started } = await callerIn(home);
    const plugin = rewrite(example(home, "echo-jsonl"), (text) =>
      text.replace('"pong"', "__import__('os').getpid()"),
    );
    await installFrom(kernel, plugin, { canary: "handshake" });
    const snapshot = takeSnapshot(await activeRegistry(kernel));
    const pool = createSessionPool(kernel.host.clock);
    const runtime = openServerRuntime(kernel, snapshot, pool);
    const ping = async () =>
      (await callWith(kernel, runtime, { op: "echo-jsonl.ping", args: {}, confirmation: yes })).payload.data;
    const first = await ping();
    expect([await ping(), await ping(), pool.size]).toEqual([first, first, 1]);
    await changeGrants(kernel, "echo-jsonl", "grant", { ...noGrants, shm: true });
    expect(await ping()).not.toBe(first);
    expect(started()).toBeGreaterThan(1);
    await pool.close();
    await runtime.close();
  });
});
