import { describe, expect, test } from "bun:test";
import { appendFileSync, chmodSync } from "node:fs";
import { callWith } from "../../src/kernel/call.ts";
import { openServerRuntime } from "../../src/kernel/call-runtime.ts";
import { createSessionPool, type PoolOptions, type SessionPool } from "../../src/kernel/session-pool.ts";
import type { CallRequest } from "../../src/model/call.ts";
import type { SessionOwner } from "../../src/model/call-runtime.ts";
import type { Session } from "../../src/model/session.ts";
import { readRegistry } from "../../src/registry/read-registry.ts";
import { takeSnapshot } from "../../src/registry/snapshot.ts";
import { createFakeClock } from "../fakes/fake-clock.ts";
import { refusalOf } from "../steps/run-step.ts";
import { open, runs, until } from "../wire/start.ts";
import { callerIn } from "./calls.ts";
import { installFrom, type Scratch, scratch } from "./scratch.ts";

const never = new AbortController().signal;
const owner: SessionOwner = { plugin: "alpha", version: "1.0.0", installRoot: "/r/1" };
const options = { timeoutMs: 20_000 };

/** A clock that moves when the test says so, and then ends the sleeps that are over. */
function stillClock() {
  let now = 0;
  const waiting = new Map<() => void, number>();
  const clock = {
    ...createFakeClock(),
    monotonic: () => now,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        waiting.set(resolve, now + ms);
        signal?.addEventListener("abort", () => {
          waiting.delete(resolve);
          reject(signal.reason);
        });
      }),
  };
  const pass = async (ms: number): Promise<void> => {
    now += ms;
    for (const [go, at] of [...waiting]) {
      if (at > now) continue;
      waiting.delete(go);
      go();
    }
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock, pass };
}

function poolOn(clock = stillClock().clock, more: PoolOptions = {}): SessionPool {
  return createSessionPool(clock, more);
}

/** A session without a process. */
function quietSession(): Session & { closed: boolean; die(): void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const session = {
    closed: false,
    over: promise,
    die: () => resolve(undefined),
    describe: () => Promise.reject(new Error("not asked")),
    call: async () => ({ ok: true, payload: {} }) as const,
    close: async () => {
      session.closed = true;
      resolve(undefined);
    },
  };
  return session;
}

describe("the pool", () => {
  test("W10 calls share one session, which is closed when nobody has called for five minutes", async () => {
    const { clock, pass } = stillClock();
    const pool = poolOn(clock);
    const session = quietSession();
    expect(await pool.borrow(owner, never)).toBeUndefined();
    const first = await pool.open(owner, never, async () => session);
    const second = await pool.borrow(owner, never);
    expect([second?.session === session, pool.size]).toEqual([true, 1]);
    await first.release();
    await first.release();
    await pass(400_000); // the second call is still under way
    expect(session.closed).toBe(false);
    await second?.release();
    await pass(299_999);
    const third = await pool.borrow(owner, never);
    await third?.release();
    await pass(299_999);
    expect(session.closed).toBe(false);
    await pass(1);
    expect([session.closed, pool.size, await pool.borrow(owner, never)]).toEqual([true, 0, undefined]);
  });

  test("W10 two calls that both found nothing start one process", async () => {
    const pool = poolOn();
    let starts = 0;
    const start = async () => {
      starts++;
      return quietSession();
    };
    const both = await Promise.all([pool.open(owner, never, start), pool.open(owner, never, start)]);
    expect([starts, both[0]?.session === both[1]?.session]).toEqual([1, true]);
  });

  test("W10 a start that fails fails its own callers, and the next call may start again", async () => {
    const pool = poolOn();
    const broken = () => Promise.reject(new Error("it did not start"));
    const tries = [pool.open(owner, never, broken), pool.borrow(owner, never)];
    expect((await Promise.allSettled(tries)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await pool.borrow(owner, never)).toBeUndefined();
    expect((await pool.open(owner, never, async () => quietSession())).session).toBeDefined();
  });

  test("T30 whoever opened a process waits for the end of its start, also when the caller has gone", async () => {
    const pool = poolOn();
    const stop = new AbortController();
    const started = Promise.withResolvers<Session>();
    let settled = false;
    const opening = pool
      .open(owner, stop.signal, () => started.promise)
      .finally(() => {
        settled = true;
      })
      .catch((error: Error) => error.message);
    stop.abort(new Error("the caller has gone"));
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(settled).toBe(false);
    started.resolve(quietSession());
    expect(await opening).toBe("the caller has gone");
    expect((await pool.borrow(owner, never))?.session).toBeDefined();
  });

  test("S8 calls beyond what a plugin works on wait in turn, and too many are refused at once", async () => {
    const pool = poolOn(undefined, { maxInFlight: 2, maxWaiting: 1 });
    const first = await pool.open(owner, never, async () => quietSession());
    await pool.borrow(owner, never);
    const order: string[] = [];
    const third = pool.borrow(owner, never).then((lent) => {
      order.push("third");
      return lent;
    });
    const refused = await refusalOf(() => pool.borrow(owner, never));
    expect([refused.code, refused.info.retryable, order]).toEqual(["RATE_LIMITED", true, []]);
    await first.release();
    await third;
    expect(order).toEqual(["third"]);
  });

  test("S8 a caller who goes away while waiting leaves its place to the next", async () => {
    const pool = poolOn(undefined, { maxInFlight: 1, maxWaiting: 2 });
    const first = await pool.open(owner, never, async () => quietSession());
    const stop = new AbortController();
    const gone = pool.borrow(owner, stop.signal).catch((error: Error) => error.message);
    const next = pool.borrow(owner, never);
    stop.abort(new Error("gone"));
    expect(await gone).toBe("gone");
    await first.release();
    expect((await next)?.session).toBeDefined();
  });

  test("W10 a reinstall gets a process of its own, and the old one ends with its last call", async () => {
    const pool = poolOn();
    const old = quietSession();
    const lent = await pool.open(owner, never, async () => old);
    await pool.open({ ...owner, installRoot: "/r/2" }, never, async () => quietSession());
    expect(old.closed).toBe(false);
    await lent.release();
    await until(() => old.closed);
    expect(pool.size).toBe(1);
  });

  test("S9 closing the pool ends every session, and nothing can be opened any more", async () => {
    const pool = poolOn();
    const session = quietSession();
    await pool.open(owner, never, async () => session);
    await pool.close();
    expect([session.closed, pool.size]).toEqual([true, 0]);
    const error = await refusalOf(() => pool.open(owner, never, async () => quietSession()));
    expect(error.code).toBe("SERVICE_DOWN");
  });

  test("S8 a plugin that dies fails its own calls, and no other plugin's", async () => {
    const pool = createSessionPool(stillClock().clock);
    const dying = await pool.open({ ...owner, plugin: "crash-call" }, never, () => open("crash-call"));
    const living = await pool.open({ ...owner, plugin: "answers" }, never, () => open("answers"));
    const crash = refusalOf(() => dying.session.call("crash", {}, options));
    expect((await living.session.call("ok", {}, options)).ok).toBe(true);
    expect((await crash).info.details?.cause).toBe("exit_code");
    await until(() => pool.size === 1);
    expect((await living.session.call("ok", {}, options)).ok).toBe(true);
    await pool.close();
  });
});

/** A server's calls in a scratch home. */
async function serverIn(home: Scratch) {
  const caller = await callerIn(home);
  const { kernel } = caller;
  const pool = createSessionPool(kernel.host.clock);
  const snapshot = takeSnapshot(await readRegistry(kernel.host, kernel.profile));
  const runtime = openServerRuntime(kernel, snapshot, pool);
  const call = (op: string, args: Record<string, unknown> = {}, more: Partial<CallRequest> = {}) =>
    callWith(kernel, runtime, { op, args, confirmation: { kind: "flag", yes: false }, ...more });
  const close = async () => {
    await pool.close();
    await runtime.close();
  };
  return { ...caller, pool, call, close };
}

describe("a server's calls", () => {
  test("W10 many calls in flight go to one process, which was verified before it was started", async () => {
    using home = scratch();
    const command = await callerIn(home);
    await installFrom(command.kernel, home.plugin("hello"));
    await command.call("plug.hello.hello", { name: "once" }); // activates it
    const server = await serverIn(home);
    const names = Array.from({ length: 40 }, (_, index) => `n${index}`);
    const answers = await Promise.all(names.map((name) => server.call("plug.hello.hello", { name })));
    expect(answers.map(({ payload }) => payload.data)).toEqual(
      names.map((name) => ({ greeting: `Hello, ${name}!` })),
    );
    expect([server.started(), server.pool.size]).toEqual([1, 1]);
    await server.close();
    expect(server.pool.size).toBe(0);
  });

  test("T7 a process that runs goes on, and none is started from a file that was changed since", async () => {
    using home = scratch();
    const command = await callerIn(home);
    await installFrom(command.kernel, home.plugin("crash-call"));
    await command.call("plug.crash-call.hello");
    const server = await serverIn(home);
    await server.call("plug.crash-call.hello");
    const [row] = (await readRegistry(server.kernel.host, server.kernel.profile)).lock.plugins;
    const path = row?.executable_path ?? "";
    chmodSync(path, 0o755);
    appendFileSync(path, "\n");
    expect((await server.call("plug.crash-call.hello")).payload.data).toBe("still here");
    expect(server.started()).toBe(1);
    await refusalOf(() => server.call("plug.crash-call.crash"));
    server.wait(31_000);
    const error = await refusalOf(() => server.call("plug.crash-call.hello"));
    expect([error.code, server.started()]).toEqual(["PLUGIN_EXECUTABLE_UNTRUSTED", 1]);
    await server.close();
  });

  test("R13 what was installed after the server started is pending, and a quarantine counts at once", async () => {
    using home = scratch();
    const command = await callerIn(home);
    await installFrom(command.kernel, home.plugin("crash-call"));
    await command.call("plug.crash-call.hello");
    const server = await serverIn(home);
    await installFrom(command.kernel, home.plugin("hello"));
    await command.call("plug.hello.hello", { name: "once" });
    const pending = await refusalOf(() => server.call("plug.hello.hello", { name: "x" }));
    expect([pending.code, pending.info.details?.status]).toEqual([
      "UNSUPPORTED_CAPABILITY",
      "installed_pending_restart",
    ]);
    expect((await server.call("plug.crash-call.hello")).payload.data).toBe("still here");
    await refusalOf(() => command.call("plug.crash-call.crash"));
    expect((await refusalOf(() => server.call("plug.crash-call.hello"))).code).toBe("PLUGIN_QUARANTINED");
    await server.close();
  });

  test("T24 no process outlives the pool", async () => {
    const pool = createSessionPool(stillClock().clock);
    const session = await open("forks");
    const lent = await pool.open(owner, never, async () => session);
    const answer = await lent.session.call("fork", {}, options);
    const child = answer.ok ? Number(answer.payload.data) : 0;
    expect(await runs(child)).toBe(true);
    await pool.close();
    await until(async () => !(await runs(child)));
    expect(await session.over).toBeUndefined();
  });
});
