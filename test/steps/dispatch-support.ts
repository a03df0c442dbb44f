// What the steps of dispatch are tested with: a registry of two plugins, and a runtime whose parts can be replaced.
import type { CallRequest, ResolvedOp } from "../../src/model/call.ts";
import type { CallRuntime, SchemaVerdict } from "../../src/model/call-runtime.ts";
import type { LockRow, Registry, StateRow, VariantRow } from "../../src/model/registry.ts";
import { findOp } from "../../src/steps/resolve-op.ts";
import { at, lockRow, stateRow, variantRow } from "../registry/support.ts";

const stamp = { install_generation: 1, install_txid: "1f0c1f0c", updated_at: at };
const names = ["alpha", "beta"];

export const registry: Registry = {
  catalog: { plugin_catalog_schema_version: 1, ...stamp, variants: names.map((name) => variantRow(name)) },
  lock: {
    plugins_lock_schema_version: 1,
    ...stamp,
    plugins: names.map((name) => lockRow(name)),
    namespaces: [],
  },
  state: {
    plugin_state_schema_version: 1,
    ...stamp,
    plugins: names.map((name) => stateRow(name, { activated_at: at, status: "active" })),
  },
};

export const request = (op: string, more: Partial<CallRequest> = {}): CallRequest => ({
  op,
  args: {},
  confirmation: { kind: "flag", yes: false },
  ...more,
});

export const resolve = (op: string, more: Partial<CallRequest> = {}): ResolvedOp =>
  findOp(registry, request(op, more));

/** The tool of plugin alpha, with some of its rows changed. */
export function resolved(
  more: {
    variant?: Partial<VariantRow>;
    state?: Partial<StateRow>;
    lock?: Partial<LockRow>;
    plugin?: Partial<LockRow["plugin"]>;
  } & Partial<Pick<ResolvedOp, "status" | "addressedBy" | "pins">> = {},
): ResolvedOp {
  const { variant, state, lock, plugin, ...rest } = more;
  const found = resolve("plug.alpha.search");
  return {
    ...found,
    ...rest,
    variant: { ...found.variant, ...variant },
    state: { ...found.state, ...state },
    lock: { ...found.lock, ...lock, plugin: { ...found.lock.plugin, ...plugin } },
  };
}

/** A runtime in which every value fits and no session can be had. */
export function runtime(more: Partial<CallRuntime> & { verdict?: SchemaVerdict } = {}): CallRuntime {
  const { verdict = { kind: "checked", violations: [] }, ...rest } = more;
  return {
    registry: async () => registry,
    statusOf: () => "active",
    sessions: {
      borrow: async () => undefined,
      open: () => Promise.reject(new Error("No session was expected")),
    },
    schemas: { check: async () => verdict },
    settings: {
      strictResults: false,
      connectTimeoutMs: 10_000,
      callTimeoutMs: 60_000,
      allowLongerTimeouts: false,
    },
    warned: new Set(),
    ...rest,
  };
}
