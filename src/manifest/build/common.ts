import type { Plugin } from "../../model/plugin.ts";
import { numberOrNull, rowsOf, type Table, tableOf, textOf, textOrNull, textsOf } from "../access.ts";
import { credentialKinds } from "../models/requirements.ts";

type Requirements = Pick<
  Plugin,
  | "needs_user_creds"
  | "credential_descriptors"
  | "auth_strategy"
  | "auth_components"
  | "canary"
  | "rate_policy"
  | "cache_ttl"
>;

/** What stands under `requirements` in both gum forms. */
export function buildRequirements(table: Table): Requirements {
  return {
    needs_user_creds: textsOf(table.needs_user_creds),
    credential_descriptors: rowsOf(table.credential_descriptors).map((row) => ({
      alias: textOf(row.alias),
      env: textOf(row.env),
      kind: credentialKinds.find((kind) => kind === row.kind) ?? "other",
      display_name: textOf(row.display_name),
      setup_hint: textOf(row.setup_hint),
    })),
    auth_strategy: textOrNull(table.auth_strategy) ?? "none",
    auth_components: rowsOf(table.auth_components).map((row) => ({
      kind: textOf(row.kind),
      alias: textOf(row.alias),
      display_name: textOf(row.display_name),
      setup_hint: textOf(row.setup_hint),
      env: textOrNull(row.env),
    })),
    canary: buildCanary(table.canary),
    rate_policy: buildRatePolicy(table.rate_policy),
    cache_ttl: numberOrNull(table.cache_ttl),
  };
}

function buildRatePolicy(value: unknown): Plugin["rate_policy"] {
  if (value === undefined) return null;
  const { per_minute, burst } = tableOf(value);
  return { per_minute: numberOrNull(per_minute) ?? 1, burst: numberOrNull(burst) ?? 1 };
}

function buildCanary(value: unknown): Plugin["canary"] {
  if (value === undefined) return null;
  const canary = tableOf(value);
  return {
    tool: textOf(canary.tool),
    args: { ...tableOf(canary.args) },
    expect: canary.expect === undefined ? null : buildExpect(tableOf(canary.expect)),
    timeout_ms: numberOrNull(canary.timeout_ms),
  };
}

function buildExpect(expect: Table): NonNullable<NonNullable<Plugin["canary"]>["expect"]> {
  return {
    ...(typeof expect.is_error === "boolean" ? { is_error: expect.is_error } : {}),
    ...(expect.has === undefined ? {} : { has: textsOf(expect.has) }),
    ...(expect.equals === undefined ? {} : { equals: { ...tableOf(expect.equals) } }),
    ...(typeof expect.max_ms === "number" ? { max_ms: expect.max_ms } : {}),
    ...(expect.response_schema === undefined ? {} : { response_schema: expect.response_schema }),
  };
}

/** The handshake's own side with its defaults; null for other shapes. */
export function buildHandshake(shape: Plugin["shape"], id: string, value: unknown): Plugin["handshake"] {
  if (shape !== "handshake-plugin") return null;
  const table = tableOf(value);
  return {
    protocol: textOrNull(table.protocol) ?? "rterm.plugin.v1",
    plugin_id: textOrNull(table.plugin_id) ?? id,
    launch_timeout_ms: numberOrNull(table.launch_timeout_ms) ?? 2000,
    handshake_timeout_ms: numberOrNull(table.handshake_timeout_ms) ?? 2000,
    timeout_ms: numberOrNull(table.timeout_ms) ?? 5000,
    teardown_timeout_ms: numberOrNull(table.teardown_timeout_ms) ?? 500,
  };
}

/** What the manifest asks the operator for. */
export function buildRequests(value: unknown): Plugin["requests"] {
  const { read, write, shm } = tableOf(value);
  return { read: textsOf(read), write: textsOf(write), shm: shm === true };
}

/** `high_stakes_write` where it is said, else `none`. */
export function confirmationOf(value: unknown): "none" | "high_stakes_write" {
  return value === "high_stakes_write" ? value : "none";
}
