// The steps between a call and the start of a process that only compare.
import { describe, expect, test } from "bun:test";
import { GumError } from "../../src/base/errors.ts";
import type { ResolvedOp } from "../../src/model/call.ts";
import { gateRisk } from "../../src/steps/gate-risk.ts";
import { mapError } from "../../src/steps/map-error.ts";
import { findOp, resolveOp } from "../../src/steps/resolve-op.ts";
import { registry, request, resolve, resolved, runtime } from "./dispatch-support.ts";
import { refusalOf, runStep } from "./run-step.ts";

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
  test("D1 two variants of one op are ambiguous until one is named", async () => {
    const [first] = registry.catalog.variants;
    if (first === undefined) throw new Error("The registry is empty");
    const second = { ...first, variant_id: "alpha.search.other.v1" };
    const both = { ...registry, catalog: { ...registry.catalog, variants: [first, second] } };
    const error = await refusalOf(() => findOp(both, { op: "alpha.search" }));
    expect(error.code).toBe("AMBIGUOUS_VARIANT");
    expect(error.info.details?.variants).toEqual(["alpha.search.mcp-plugin.v1", "alpha.search.other.v1"]);
    const pinned = findOp(both, { op: "alpha.search", variantId: "alpha.search.other.v1" });
    expect(pinned.variant.variant_id).toBe("alpha.search.other.v1");
  });
  test("R13 the status is the one that the process sees", async () => {
    const input = {
      request: request("plug.alpha.search"),
      runtime: runtime({ statusOf: () => "installed_pending_restart" }),
    };
    expect((await runStep(resolveOp, input)).given.resolved.status).toBe("installed_pending_restart");
  });
  test("R14 lock and catalog that disagree are told", () => {
    const [lock] = registry.lock.plugins;
    if (lock === undefined) throw new Error("The registry is empty");
    const tools = [
      ...lock.plugin.tools,
      ...lock.plugin.tools.map((tool) => ({ ...tool, variant_id: "lost" })),
    ];
    const plugins = [{ ...lock, plugin: { ...lock.plugin, tools } }];
    const torn = { ...registry, lock: { ...registry.lock, plugins } };
    expect(findOp(torn, { op: "alpha.search" }).metadataWarning).toBe("lock_catalog_mismatch");
    expect(resolve("alpha.search").metadataWarning).toBeUndefined();
  });
});

describe("gate-risk", () => {
  const risky = (risk_class: "read" | "write" | "destructive"): ResolvedOp =>
    resolved({ variant: { risk_class } });
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
});

describe("map-error", () => {
  test("W9 the plugin's own error becomes a stable code", async () => {
    const error = { code: "INVALID_INPUT", message: "name is empty", retryable: true };
    const refusal = await refusalOf(() =>
      runStep(mapError, { answer: { ok: false, error }, resolved: resolved() }),
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
    expect((await runStep(mapError, { answer, resolved: resolved() })).given.payload.payload).toEqual({
      success: true,
      data: 1,
    });
  });
});
