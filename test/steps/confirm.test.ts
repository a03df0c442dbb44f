import { describe, expect, test } from "bun:test";
import type { CallRequest, Confirmation } from "../../src/model/call.ts";
import { confirm } from "../../src/steps/confirm.ts";
import { createFakeHost } from "../fakes/fake-host.ts";
import { request, resolved } from "./dispatch-support.ts";
import { profile, refusalOf, runStep } from "./run-step.ts";

type Risk = "read" | "write" | "destructive";

const flag = (yes: boolean): Confirmation => ({ kind: "flag", yes });
const token = (text?: string): Confirmation => ({ kind: "token", token: text, keySource: "profile" });
const input = (
  risk_class: Risk,
  confirmation: Confirmation,
  more: Partial<CallRequest> = {},
  policy = "none",
) =>
  ({
    resolved: resolved({ variant: { risk_class, confirmation_policy: policy } }),
    request: request("plug.alpha.search", { confirmation, ...more }),
    profile,
    riskAccepted: true,
    argsValid: true,
  }) as const;

describe("confirm by flag", () => {
  test.each(["write", "destructive"] as const)("D3 a %s call needs somebody's yes", async (risk) => {
    const error = await refusalOf(() => runStep(confirm, input(risk, flag(false))));
    expect([error.code, error.info.details]).toEqual(["REQUIRES_CONFIRMATION", { risk_class: risk }]);
    expect((await runStep(confirm, input(risk, flag(true)))).given).toEqual({ confirmed: true });
  });
  test("D3 a read call needs none", async () => {
    expect((await runStep(confirm, input("read", flag(false)))).given).toEqual({ confirmed: true });
  });
});

describe("confirm by token", () => {
  const needing: [Risk, string][] = [
    ["destructive", "none"],
    ["destructive", "high_stakes_write"],
    ["write", "high_stakes_write"],
  ];
  test.each(needing)(
    "D4 a %s call with policy %s returns a token first and takes it then",
    async (risk, policy) => {
      const host = createFakeHost();
      const first = await refusalOf(() => runStep(confirm, input(risk, token(), {}, policy), { host }));
      expect([first.code, first.info.details]).toEqual([
        "REQUIRES_CONFIRMATION",
        {
          token: expect.stringMatching(/^[A-Za-z0-9_-]{91}$/),
          expires_at: "2026-01-01T00:05:00.000Z",
          op_id: "alpha.search",
          variant_id: "alpha.search.mcp-plugin.v1",
          risk_class: risk,
        },
      ]);
      const given = String(first.info.details?.token);
      const second = await runStep(confirm, input(risk, token(given), {}, policy), { host });
      expect(second.given).toEqual({ confirmed: true });
    },
  );

  test.each(["read", "write"] as const)("D4 an ordinary %s call needs no token", async (risk) => {
    expect((await runStep(confirm, input(risk, token()))).given).toEqual({ confirmed: true });
  });

  test("D4 an empty, an expired, a used, an altered token and one for other arguments say why", async () => {
    const host = createFakeHost();
    const askFor = async (): Promise<string> => {
      const error = await refusalOf(() => runStep(confirm, input("destructive", token()), { host }));
      return String(error.info.details?.token);
    };
    const reasonOf = async (text: string, more: Partial<CallRequest> = {}): Promise<unknown> => {
      const error = await refusalOf(() =>
        runStep(confirm, input("destructive", token(text), more), { host }),
      );
      expect(error.code).toBe("CONFIRMATION_TOKEN_INVALID");
      return error.info.details;
    };
    const good = await askFor();
    expect(await reasonOf("")).toEqual({ reason: "missing" });
    expect(await reasonOf(good, { args: { all: true } })).toEqual({
      reason: "altered",
      altered: "arguments",
    });
    expect(await reasonOf(`${good.slice(0, -4)}AAAA`)).toEqual({ reason: "altered", altered: "token" });
    await runStep(confirm, input("destructive", token(good)), { host });
    expect(await reasonOf(good)).toEqual({ reason: "replayed" });
    const late = await askFor();
    host.clock.advance(300_000);
    expect(await reasonOf(late)).toEqual({ reason: "expired" });
  });

  test("D4 the token of a server is refused by another one", async () => {
    const ofServer = (text?: string): Confirmation => ({ kind: "token", token: text, keySource: "process" });
    const first = await refusalOf(() =>
      runStep(confirm, input("destructive", ofServer()), { host: createFakeHost({ env: {} }) }),
    );
    // Each fake host draws the same random digits, as no two processes ever do.
    const elsewhere = { ...createFakeHost(), randomHex: (digits: number) => "f".repeat(digits) };
    const error = await refusalOf(() =>
      runStep(confirm, input("destructive", ofServer(String(first.info.details?.token))), {
        host: elsewhere,
      }),
    );
    expect(error.info.details).toEqual({ reason: "other-process" });
  });
});
