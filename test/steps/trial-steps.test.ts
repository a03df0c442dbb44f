// The steps of a canary of an installed plugin, each alone, with a session that is not a process.
import { describe, expect, test } from "bun:test";
import { GumError } from "../../src/base/errors.ts";
import { noCredentials } from "../../src/model/credentials.ts";
import type { LockRow } from "../../src/model/registry.ts";
import type { Answer, ListedTool, Session } from "../../src/model/session.ts";
import type { OpenTrial, TrialRequest } from "../../src/model/trial.ts";
import { callCanary } from "../../src/steps/call-canary.ts";
import { closeSession } from "../../src/steps/close-session.ts";
import { judge } from "../../src/steps/judge.ts";
import { pinTools } from "../../src/steps/pin-tools.ts";
import { pinsFor } from "../../src/steps/pins.ts";
import { createFakeHost } from "../fakes/fake-host.ts";
import { lockRow } from "../registry/support.ts";
import { profile, refusalOf, runStep } from "./run-step.ts";

const search: ListedTool = { name: "search", description: "Finds", inputSchema: { type: "object" } };
const good: Answer = { ok: true, payload: { success: true, data: { found: 1 } } };
const asked: TrialRequest = { live: true, acceptDrift: false };

interface FakeSession extends Session {
  readonly calls: unknown[];
  closed: number;
}

function fakeSession(answer: Answer | GumError = good): FakeSession {
  const session: FakeSession = {
    calls: [],
    closed: 0,
    describe: async () => ({ server: undefined, protocolVersion: undefined, tools: [search], rejected: [] }),
    async call(tool, args, { timeoutMs }) {
      session.calls.push([tool, args, timeoutMs]);
      if (answer instanceof GumError) throw answer;
      return answer;
    },
    async close() {
      session.closed++;
    },
  };
  return session;
}

function trialOf(session: Session, tools: readonly ListedTool[] = [search]): OpenTrial {
  return {
    session,
    spawnMs: 12,
    description: { server: undefined, protocolVersion: undefined, tools, rejected: [] },
  };
}

function installed(more: Partial<LockRow> = {}, canary: LockRow["plugin"]["canary"] = null): LockRow {
  const row = lockRow("alpha", more);
  return { ...row, plugin: { ...row.plugin, canary } };
}

const call = { tool: "search", args: { when: "+1d" }, expect: null, timeout_ms: 700 };
const pinOutcome = { kind: "same", changes: [] } as const;
const trialCredentials = noCredentials;

describe("call-canary", () => {
  const args = { timeout_ms: 15_000 };
  test("C2 C4 the call is made with today's dates and the arguments that were said", async () => {
    const session = fakeSession();
    const trialRequest = { ...asked, args: { more: 1 } };
    const input = {
      installed: installed({}, call),
      trial: trialOf(session),
      trialRequest,
      pinOutcome,
      trialCredentials,
    };
    const { given } = await runStep(callCanary, input, { args });
    expect(session.calls).toEqual([["search", { when: "2026-01-02", more: 1 }, 700]]);
    expect(given.trialCall?.tool).toBe("search");
  });

  test("C14 nothing is called without --live, nor when the plugin has no trial call", async () => {
    for (const [canary, live] of [
      [call, false],
      [null, true],
    ] as const) {
      const session = fakeSession();
      const trialRequest = { ...asked, live };
      const input = {
        installed: installed({}, canary),
        trial: trialOf(session),
        trialRequest,
        pinOutcome,
        trialCredentials,
      };
      expect((await runStep(callCanary, input, { args })).given).toEqual({ trialCall: null });
      expect(session.calls).toEqual([]);
    }
  });

  test("C5 a plugin that dies has failed its canary, with the cause", async () => {
    const died = new GumError("SERVICE_DOWN", "It died.", { details: { cause: "signal" } });
    const trial = trialOf(fakeSession(died));
    const input = {
      installed: installed({}, call),
      trial,
      trialRequest: asked,
      pinOutcome,
      trialCredentials,
    };
    const refusal = await refusalOf(() => runStep(callCanary, input, { args }));
    expect([refusal.code, refusal.info.details]).toEqual([
      "CANARY_FAILED",
      { cause: "signal", code: "SERVICE_DOWN" },
    ]);
  });

  test("P15 a call that ended because gum was stopped is no failure of the plugin", async () => {
    const stop = new AbortController();
    stop.abort(new Error("gum was interrupted"));
    const trial = trialOf(fakeSession(new GumError("SERVICE_DOWN", "It died.")));
    const input = {
      installed: installed({}, call),
      trial,
      trialRequest: asked,
      pinOutcome,
      trialCredentials,
    };
    const work = runStep(callCanary, input, { args, signal: stop.signal });
    expect(await work.catch((error: unknown) => String(error))).toBe("Error: gum was interrupted");
  });
});

describe("judge", () => {
  const judged = (expectation: typeof call.expect | object, answer: Answer, live = true) => {
    const row = installed({}, { ...call, expect: expectation as never });
    const trialCall = live ? { tool: "search", answer, latencyMs: 5 } : null;
    const trialRequest = { ...asked, live };
    return runStep(judge, {
      installed: row,
      profile,
      trial: trialOf(fakeSession()),
      trialCall,
      trialRequest,
    });
  };
  test("C3 an answer as expected passes, and the verdict says what was tried", async () => {
    const { given } = await judged({ has: ["data.found"], equals: { "data.found": 1 } }, good);
    expect(given.verdict).toEqual({ whole: true, spawnMs: 12, latencyMs: 5 });
    expect((await judged(null, good, false)).given.verdict).toEqual({
      whole: false,
      spawnMs: 12,
      latencyMs: 0,
    });
  });
  test("C3 every disappointment is told", async () => {
    const refusal = await refusalOf(() => judged({ has: ["data.lost"], equals: { "data.found": 2 } }, good));
    expect(refusal.info.details?.faults).toEqual(['the result has no "data.lost"', '"data.found" is not 2']);
  });
  test("C3 a response_schema that does not fit is a disappointment", async () => {
    const schema = { type: "object", properties: { found: { type: "string" } } };
    const refusal = await refusalOf(() => judged({ response_schema: schema }, good));
    expect([refusal.code, refusal.message.includes("the data at /found")]).toEqual(["CANARY_FAILED", true]);
  });
  test("C3 an error passes only where one is expected", async () => {
    const failed: Answer = { ok: false, error: { code: "SERVICE_DOWN", message: "tired", retryable: false } };
    expect((await refusalOf(() => judged(null, failed))).message).toContain("tired");
    expect((await judged({ is_error: true }, failed)).given.verdict.whole).toBe(true);
  });
});

describe("pin-tools", () => {
  const pinned = pinsFor("alpha", [search]);
  const list = `${profile.dataDir}/plugin-schemas/alpha.tools.${pinned?.pins.sha256}.json`;
  const host = () => createFakeHost({ files: { [list]: pinned?.list.text ?? "" } });
  const row = installed({ tools_sha256: pinned?.toolsSha256 ?? null, pins: pinned?.pins ?? null });
  const run = (tools: readonly ListedTool[], acceptDrift = false, of = row) =>
    runStep(
      pinTools,
      {
        installed: of,
        profile,
        trial: trialOf(fakeSession(), tools),
        trialRequest: { ...asked, acceptDrift },
      },
      { host: host() },
    );
  const reworded = { ...search, description: "Finds things" };
  const loosened = { ...search, inputSchema: {} };

  test("T28 tools as pinned pass, and the first ones are pinned when they are the manifest's", async () => {
    expect((await run([search])).given.pinOutcome.kind).toBe("same");
    expect((await run([search], false, installed())).given.pinOutcome.kind).toBe("first");
    const other = await refusalOf(() => run([{ ...search, name: "find" }], false, installed()));
    expect(other.code).toBe("PLUGIN_TOOLS_MISMATCH");
  });
  test("T28 tools that differ from the pin are refused, with every change", async () => {
    const refusal = await refusalOf(() => run([reworded]));
    expect([refusal.code, refusal.info.details]).toEqual([
      "PLUGIN_TOOLS_DRIFT",
      {
        class: "compatible",
        changes: [
          { tool: "search", path: "description", class: "compatible", what: "is worded differently" },
        ],
      },
    ]);
  });
  test("T31 only compatible drift is accepted, and only when that is wanted", async () => {
    expect((await run([reworded], true)).given.pinOutcome.kind).toBe("accepted");
    expect((await refusalOf(() => run([loosened], true))).info.details?.class).toBe("widening");
    expect((await refusalOf(() => run([search, { ...search, name: "more" }], true))).code).toBe(
      "PLUGIN_TOOLS_DRIFT",
    );
  });
});

test("C10 close-session ends the plugin", async () => {
  const session = fakeSession();
  const verdict = { whole: true, spawnMs: 1, latencyMs: 1 };
  await runStep(closeSession, { trial: trialOf(session), verdict });
  expect(session.closed).toBe(1);
});
