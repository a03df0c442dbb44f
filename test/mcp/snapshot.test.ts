import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removePlugin } from "../../src/kernel/remove.ts";
import { publish } from "../../src/registry/generations.ts";
import { readLeases } from "../../src/registry/leases.ts";
import { withState } from "../../src/registry/rows.ts";
import { installFrom } from "../kernel/scratch.ts";
import { connected, reopened } from "./connected.ts";

const hello = (name: string) => ({ op_id: "hello.hello", args: { name } });

describe("what a running server may call", () => {
  test("S6 a plugin that is installed while the server runs is pending: in the inventory, and nowhere else", async () => {
    await using at = await connected({ plugins: ["answers"] });
    await installFrom(at.kernel, at.home.plugin("hello"));
    expect((await at.call("gum.plugins")).value).toMatchObject({
      plugins: [
        { id: "answers", status: "active" },
        { id: "hello", status: "installed_pending_restart" },
      ],
    });
    expect(await at.read("gum://plugin/hello")).toMatchObject({ status: "installed_pending_restart" });
    expect((await at.call("gum.search", { query: "greeting for the given name" })).value).toEqual({
      hits: [],
    });
    expect((await at.call("gum.read", hello("Ada"))).value).toMatchObject({
      error_code: "UNSUPPORTED_CAPABILITY",
      details: { status: "installed_pending_restart" },
    });
    expect((await at.call("gum.describe_op", { op_id: "hello.hello" })).value).toEqual({
      op_id: "hello.hello",
      variant_id: "hello.hello.mcp-plugin.v1",
      plugin: "hello",
      status: "installed_pending_restart",
    });
    expect((await at.call("gum.canary", { plugin: "hello" })).value.error_code).toBe(
      "UNSUPPORTED_CAPABILITY",
    );
    await using next = await reopened(at);
    expect((await next.call("gum.read", hello("Ada"))).value).toEqual({
      success: true,
      data: { greeting: "Hello, Ada!" },
    });
    expect((await next.call("gum.search", { query: "greeting" })).value).toMatchObject({
      hits: [{ op_id: "hello.hello" }],
    });
  });

  test("R13 removal and quarantine take effect at the next call", async () => {
    await using at = await connected({ plugins: ["hello", "answers"] });
    expect((await at.call("gum.read", hello("Ada"))).isError).toBe(false);
    const { host, profile } = at.kernel;
    const quarantine = { quarantined: true, permanent_quarantine: true, reason: "seen" };
    await publish(host, profile, (r) => withState(r, "hello", (row) => ({ ...row, ...quarantine })), {
      command: "test",
    });
    expect((await at.call("gum.read", hello("Ada"))).value.error_code).toBe("VARIANT_QUARANTINED");
    expect((await at.call("gum.read", { ...hello("Ada"), op_id: "plug.hello.hello" })).value.error_code).toBe(
      "PLUGIN_QUARANTINED",
    );
    expect((await at.call("gum.search", { query: "greeting" })).value).toEqual({ hits: [] });
    await removePlugin(at.kernel, "hello");
    expect((await at.call("gum.read", hello("Ada"))).value.error_code).toBe("OP_NOT_FOUND");
    await installFrom(at.kernel, at.home.plugin("hello"));
    expect((await at.call("gum.read", hello("Ada"))).value.error_code).toBe("UNSUPPORTED_CAPABILITY");
  });

  test("R10 an install that was active stays in use although another took its place, since the server holds a lease on it", async () => {
    await using at = await connected();
    expect((await at.call("gum.read", hello("Ada"))).value.data).toEqual({ greeting: "Hello, Ada!" });
    const newer = at.home.plugin("hello", (manifest) => {
      manifest.version = "0.2.0";
    });
    const program = join(newer, "bin/hello-mcp");
    writeFileSync(program, readFileSync(program, "utf8").replace("Hello, {name}!", "Howdy, {name}!"));
    await installFrom(at.kernel, newer);
    expect((await at.call("gum.plugins")).value).toEqual({
      plugins: [{ id: "hello", version: "0.2.0", name: "Hello", status: "installed_pending_restart" }],
    });
    expect((await at.call("gum.read", hello("Ada"))).value.data).toEqual({ greeting: "Hello, Ada!" });
    const { host, profile } = at.kernel;
    expect((await readLeases(host, profile)).roots.size).toBe(1);
    await using next = await reopened(at);
    expect((await next.call("gum.read", hello("Ada"))).value.data).toEqual({ greeting: "Howdy, Ada!" });
    await next[Symbol.asyncDispose]();
    expect((await readLeases(host, profile)).roots.size).toBe(1);
    await at.hub.close();
    expect((await readLeases(host, profile)).roots.size).toBe(0);
  });

  test("S6 the load summary tells what was loaded and what was not, and why", async () => {
    await using at = await connected({ plugins: ["hello", "crash-start"] });
    expect(await at.read("gum://status/load")).toMatchObject({
      loaded: [{ name: "hello", version: "0.1.0", tools: 1, resources: 0, prompts: 0 }],
      skipped: [{ name: "crash-start" }],
      failed: [],
      timings: { importMs: 0 },
      stats: { toolsRegistered: 1, invalidTools: 0 },
    });
  });

  test("S2 clients are told when what can be called, or is installed, has changed", async () => {
    await using at = await connected({ plugins: ["hello"], exposeTools: true });
    const heard: string[] = [];
    const all = Promise.withResolvers<void>();
    at.client.fallbackNotificationHandler = async ({ method }) => {
      heard.push(method);
      if (heard.length >= 3) all.resolve();
    };
    await removePlugin(at.kernel, "hello");
    await all.promise;
    expect(heard.toSorted()).toEqual([
      "notifications/prompts/list_changed",
      "notifications/resources/list_changed",
      "notifications/tools/list_changed",
    ]);
  });

  test("C11 passive canaries run on the interval, and their results are stale until the first of them", async () => {
    await using quiet = await connected();
    expect(await quiet.read("gum://status/canaries")).toMatchObject({
      canaries: [{ plugin: "hello", stale: true, ok: true }],
    });
    await using at = await reopened(quiet, { config: { "canary.interval": 1 } });
    for (;;) {
      const { canaries } = (await at.read("gum://status/canaries")) as {
        canaries: { stale: boolean; ok: boolean }[];
      };
      if (canaries[0]?.stale === false) {
        expect(canaries).toMatchObject([{ plugin: "hello", ok: true, code: null }]);
        break;
      }
      await at.kernel.host.clock.sleep(50);
    }
  });
});
