import { describe, expect, test } from "bun:test";
import { OneShots } from "../../src/kernel/one-shots.ts";
import type { Session } from "../../src/model/session.ts";
import { failureOf } from "../wire/start.ts";

const never = new AbortController().signal;
const owner = { plugin: "alpha", version: "1.0.0", installRoot: "/r/1", oneShot: true };

function quiet(): Session & { closed: number } {
  const session = {
    closed: 0,
    describe: () => Promise.reject(new Error("not asked")),
    call: async () => ({ ok: true, payload: {} }) as const,
    close: async () => {
      session.closed++;
    },
  };
  return session;
}

describe("processes that answer one call", () => {
  test("W16 giving a session back ends it, once, and makes room for whoever has waited longest", async () => {
    const shots = new OneShots({ maxRunning: 1, maxWaiting: 2 });
    const [first, second, third] = [quiet(), quiet(), quiet()];
    const order: string[] = [];
    const start = (name: string, session: Session) => async () => {
      order.push(name);
      return session;
    };
    const one = await shots.open(owner, never, start("first", first));
    const two = shots.open(owner, never, start("second", second));
    const three = shots.open(owner, never, start("third", third));
    const refused = await failureOf(shots.open(owner, never, start("fourth", quiet())));
    expect([refused.code, refused.info.retryable, order]).toEqual(["RATE_LIMITED", true, ["first"]]);
    const other = await shots.open({ ...owner, plugin: "beta" }, never, start("beta", quiet()));
    await Promise.all([one.release(), one.release()]);
    await (await two).release();
    await (await three).release();
    expect([order, first.closed, shots.size]).toEqual([["first", "beta", "second", "third"], 1, 1]);
    await other.release();
    expect(shots.size).toBe(0);
  });

  test("W16 a start that fails, and a caller who stops waiting, keep no place", async () => {
    const shots = new OneShots({ maxRunning: 1, maxWaiting: 1 });
    const failed = shots.open(owner, never, () => Promise.reject(new Error("no")));
    expect(await failed.catch((error: Error) => error.message)).toBe("no");
    const held = await shots.open(owner, never, async () => quiet());
    const stop = new AbortController();
    const waiting = shots.open(owner, stop.signal, async () => quiet());
    stop.abort("enough");
    expect(await waiting.catch((reason: unknown) => reason)).toBe("enough");
    await held.release();
    const last = await shots.open(owner, never, async () => quiet());
    await last.release();
    expect(shots.size).toBe(0);
  });

  test("W16 closing ends the processes of one plugin, or all", async () => {
    const shots = new OneShots({ maxRunning: 2, maxWaiting: 2 });
    const [alpha, beta] = [quiet(), quiet()];
    await shots.open(owner, never, async () => alpha);
    await shots.open({ ...owner, plugin: "beta" }, never, async () => beta);
    await shots.close("alpha");
    expect([alpha.closed, beta.closed]).toEqual([1, 0]);
    await shots.close();
    expect(beta.closed).toBe(1);
  });
});
