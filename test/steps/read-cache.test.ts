import { describe, expect, test } from "bun:test";
import type { CallRequest, ResolvedOp } from "../../src/model/call.ts";
import type { Success } from "../../src/model/session.ts";
import { readCache } from "../../src/steps/read-cache.ts";
import { writeCache } from "../../src/steps/write-cache.ts";
import { createFakeHost, type FakeHost } from "../fakes/fake-host.ts";
import { request, resolved } from "./dispatch-support.ts";
import { profile, runStep } from "./run-step.ts";

const gates = { callable: true, confirmed: true, argsValid: true } as const;
const answer: Success = {
  payload: { success: true, data: { n: 1 } },
  text: '{"success":true,"data":{"n":1.0}}',
  content: [{ type: "image", data: "AA==" }],
};

interface Call {
  op?: ResolvedOp;
  more?: Partial<CallRequest>;
}
const cachable = (ttl = 60): ResolvedOp => resolved({ plugin: { cache_ttl: ttl } });

async function look(host: FakeHost, { op = cachable(), more = {} }: Call = {}) {
  const input = { profile, resolved: op, request: request("x", { args: { q: "a" }, ...more }), ...gates };
  return (await runStep(readCache, input, { host })).given.cached;
}
async function store(host: FakeHost, call: Call = {}, payload = answer) {
  const cached = await look(host, call);
  return runStep(writeCache, { profile, cached, payload, resultChecked: true }, { host });
}

describe("read-cache and write-cache", () => {
  test("D7 the answer to a read is remembered whole for cache_ttl, and no longer", async () => {
    const host = createFakeHost();
    expect((await look(host)).use).toBe("miss");
    await store(host);
    expect(await look(host)).toEqual({ use: "hit", storedAt: "2026-01-01T00:00:00.000Z", answer });
    host.clock.advance(59_999);
    expect((await look(host)).use).toBe("hit");
    host.clock.advance(1);
    expect((await look(host)).use).toBe("miss");
  });

  test("D7 a clock that went back makes no answer fresh again", async () => {
    const host = createFakeHost();
    host.clock.advance(30_000);
    await store(host);
    host.clock.advance(-1);
    expect((await look(host)).use).toBe("miss");
  });

  const others: [string, Call][] = [
    ["other arguments", { more: { args: { q: "b" } } }],
    ["another variant", { op: resolved({ plugin: { cache_ttl: 60 }, variant: { variant_id: "other" } }) }],
    ["another version", { op: resolved({ plugin: { cache_ttl: 60 }, lock: { version: "2.0.0" } }) }],
    [
      "another build",
      { op: resolved({ plugin: { cache_ttl: 60 }, lock: { source_sha256: "f".repeat(64) } }) },
    ],
  ];
  test.each(others)("D7 %s get another answer", async (_, call) => {
    const host = createFakeHost();
    await store(host);
    expect((await look(host, call)).use).toBe("miss");
    expect((await look(host)).use).toBe("hit");
  });

  test("D7 other credentials get another answer, and no name or value of them is on the disk", async () => {
    const op = resolved({ plugin: { cache_ttl: 60, needs_user_creds: ["ALPHA_TOKEN"] } });
    const mine = createFakeHost({ env: { ALPHA_TOKEN: "secret-of-mine" } });
    await store(mine, { op });
    expect((await look(mine, { op })).use).toBe("hit");
    const yours = { ...mine, env: { ALPHA_TOKEN: "secret-of-yours" } };
    expect((await look(yours, { op })).use).toBe("miss");
    const written = JSON.stringify(mine.files.snapshot());
    expect([written.includes("secret-of"), written.includes("ALPHA_TOKEN")]).toEqual([false, false]);
  });

  const never: [string, Call][] = [
    ["a write", { op: resolved({ plugin: { cache_ttl: 60 }, variant: { risk_class: "write" } }) }],
    ["no cache_ttl", { op: resolved() }],
    ["a cache_ttl of 0", { op: cachable(0) }],
    ["--no-cache", { more: { noCache: true } }],
  ];
  test.each(never)("D7 with %s nothing is looked up or remembered", async (_, call) => {
    const host = createFakeHost();
    expect((await look(host, call)).use).toBe("off");
    await store(host, call);
    expect(await host.files.exists(profile.cacheDir)).toBe(false);
  });

  test("D7 files are private, and a damaged, linked or oversized one is no answer", async () => {
    const host = createFakeHost();
    await store(host);
    const folder = `${profile.cacheDir}/calls`;
    const [name = ""] = await host.files.list(folder);
    expect((await host.files.lstat(`${folder}/${name}`)).mode).toBe(0o600);
    const spoiled = ['{"stored_at"', "[]", '{"stored_at":"x","payload":{}}', " ".repeat(300_000)];
    for (const text of spoiled) {
      await host.files.replace(`${folder}/${name}`, text, { mode: 0o600 });
      expect([text.length, (await look(host)).use]).toEqual([text.length, "miss"]);
    }
    await host.files.unlink(`${folder}/${name}`);
    await host.files.symlink("/etc/passwd", `${folder}/${name}`);
    expect((await look(host)).use).toBe("miss");
  });

  test("D7 the folder is bounded, and a huge answer is not remembered", async () => {
    const host = createFakeHost();
    const huge = { payload: { success: true, data: "x".repeat(300_000) } };
    expect((await store(host, {}, huge)).notes).toEqual(["too large to be remembered"]);
    for (let number = 0; number < 1005; number++) {
      host.clock.advance(1);
      await store(host, { op: cachable(3600), more: { args: { number } } });
    }
    expect((await host.files.list(`${profile.cacheDir}/calls`)).length).toBeLessThanOrEqual(1000);
    expect((await look(host, { op: cachable(3600), more: { args: { number: 1004 } } })).use).toBe("hit");
    expect((await look(host, { op: cachable(3600), more: { args: { number: 0 } } })).use).toBe("miss");
  });

  test("D7 a cache that cannot be written is a warning", async () => {
    const real = createFakeHost();
    const refuse = () => Promise.reject(Object.assign(new Error("EROFS"), { code: "EROFS" }));
    const host = { ...real, files: { ...real.files, mkdir: refuse } };
    const { warnings } = await store(host);
    expect(warnings.map(({ message }) => message)).toEqual([
      "The answer was not remembered: the cache folder cannot be written.",
    ]);
  });
});
