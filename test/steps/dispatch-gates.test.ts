// The steps between a call and the start of a process.
import { describe, expect, test } from "bun:test";
import { GumError } from "../../src/base/errors.ts";
import type { CallRequest, ResolvedOp } from "../../src/model/call.ts";
import type { Registry, StateRow } from "../../src/model/registry.ts";
import { checkStatus } from "../../src/steps/check-status.ts";
import { confirm } from "../../src/steps/confirm.ts";
import { gateRisk } from "../../src/steps/gate-risk.ts";
import { mapError } from "../../src/steps/map-error.ts";
import { findOp } from "../../src/steps/resolve-op.ts";
import { at, lockRow, stateRow, variantRow } from "../registry/support.ts";
import { refusalOf, runStep } from "./run-step.ts";

const stamp = { install_generation: 1, install_txid: "1f0c1f0c", updated_at: at };
const names = ["alpha", "beta"];
const registry: Registry = {
  catalog: { plugin_catalog_schema_version: 1, ...stamp, variants: names.map((name) => variantRow(name)) },
  lock: {
    plugins_lock_schema_version: 1,
    ...stamp,
    plugins: names.map((name) => lockRow(name)),
    namespaces: [],
  },
  state: { plugin_state_schema_version: 1, ...stamp, plugins: names.map((name) => stateRow(name)) },
};
const request = (op: string, more: Partial<CallRequest> = {}): CallRequest => ({
  op,
  args: {},
  confirmed: false,
  ...more,
});
const resolve = (op: string, more: Partial<CallRequest> = {}): ResolvedOp =>
  findOp(registry, request(op, more));

describe("resolve-op", () => {
  test("D1 a plugin's tool is plug.<id>.<tool>, and its op id finds it too", () => {
    expect(resolve("plug.alpha.search").addressedBy).toBe("plugin");
    expect(resolve("alpha.search").addressedBy).toBe("op");
  });
  test("D1 an unknown op names the nearest", async () => {
    const error = await refusalOf(() => resolve("plug.alpha.serach"));
    expect(error.code).toBe("OP_NOT_FOUND");
    expect(error.info.hint).toContain("plug.alpha.search");
  });
  test("D1 an unknown plugin is PLUGIN_NOT_FOUND", async () => {
    expect((await refusalOf(() => resolve("plug.alpah.x"))).info.hint).toContain('"alpha"');
  });
  test("D1 an unknown variant is VARIANT_NOT_FOUND", async () => {
    const error = await refusalOf(() => resolve("plug.alpha.search", { variantId: "none" }));
    expect(error.code).toBe("VARIANT_NOT_FOUND");
  });
});

const first = (): ResolvedOp => resolve("plug.alpha.search");

describe("check-status", () => {
  const withState = (
    more: Partial<StateRow>,
    addressedBy: ResolvedOp["addressedBy"] = "plugin",
  ): ResolvedOp => ({
    ...first(),
    addressedBy,
    state: { ...first().state, ...more },
  });
  test("D2 a quarantined plugin is refused by the name it was called by", async () => {
    const state = { quarantined: true, reason: "it crashed" };
    const byPlugin = await refusalOf(() => runStep(checkStatus, { resolved: withState(state) }));
    expect([byPlugin.code, byPlugin.message]).toEqual([
      "PLUGIN_QUARANTINED",
      'Plugin "alpha" is quarantined: it crashed',
    ]);
    const byOp = await refusalOf(() => runStep(checkStatus, { resolved: withState(state, "op") }));
    expect(byOp.code).toBe("VARIANT_QUARANTINED");
  });
  test("D2 a plugin without credentials answers AUTH_REQUIRED", async () => {
    const error = await refusalOf(() =>
      runStep(checkStatus, { resolved: withState({ needs_configuration: true }) }),
    );
    expect(error.code).toBe("AUTH_REQUIRED");
    expect(error.info.details?.status).toBe("needs_configuration");
  });
  test("D2 an active plugin is callable", async () => {
    expect((await runStep(checkStatus, { resolved: first() })).given).toEqual({ callable: true });
  });
});

describe("gate-risk and confirm", () => {
  const risky = (risk_class: "read" | "write" | "destructive"): ResolvedOp => {
    const resolved = first();
    return { ...resolved, variant: { ...resolved.variant, risk_class } };
  };
  test("D3 a stated risk must be the operation's", async () => {
    const input = { resolved: risky("write"), request: request("x", { risk: "read" }) };
    expect((await refusalOf(() => runStep(gateRisk, input))).code).toBe("RISK_TOOL_MISMATCH");
    const same = { resolved: risky("write"), request: request("x", { risk: "write" }) };
    expect((await runStep(gateRisk, same)).given).toEqual({ riskAccepted: true });
  });
  test("D3 the author's direct path takes the tool's own class", async () => {
    const input = { resolved: risky("destructive"), request: request("x") };
    expect((await runStep(gateRisk, input)).given).toEqual({ riskAccepted: true });
  });
  test.each(["write", "destructive"] as const)("D3 a %s call needs somebody's yes", async (risk) => {
    const input = { resolved: risky(risk), request: request("x"), riskAccepted: true } as const;
    expect((await refusalOf(() => runStep(confirm, input))).code).toBe("REQUIRES_CONFIRMATION");
    const yes = { ...input, request: request("x", { confirmed: true }) };
    expect((await runStep(confirm, yes)).given).toEqual({ confirmed: true });
  });
  test("D3 a read call needs none", async () => {
    const input = { resolved: risky("read"), request: request("x"), riskAccepted: true } as const;
    expect((await runStep(confirm, input)).given).toEqual({ confirmed: true });
  });
});

describe("map-error", () => {
  test("W9 the plugin's own error becomes a stable code", async () => {
    const error = { code: "INVALID_INPUT", message: "name is empty", retryable: true };
    const refusal = await refusalOf(() =>
      runStep(mapError, { answer: { ok: false, error }, resolved: first() }),
    );
    expect(refusal).toBeInstanceOf(GumError);
    expect([refusal.code, refusal.info.sourceErrorCode, refusal.info.retryable]).toEqual([
      "INVALID_ARGS",
      "INVALID_INPUT",
      false,
    ]);
  });
  test("W8 a payload passes as it is", async () => {
    const answer = { ok: true, payload: { success: true, data: 1 } } as const;
    expect((await runStep(mapError, { answer, resolved: first() })).given.payload.payload).toEqual({
      success: true,
      data: 1,
    });
  });
});
