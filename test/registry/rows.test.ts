import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { LockRow, StateRow, VariantRow } from "../../src/model/registry.ts";
import { activate, addPlugin, removePlugin, statusOf, withState } from "../../src/registry/rows.ts";
import { statusIn, takeSnapshot, viewPlugin } from "../../src/registry/snapshot.ts";
import { at, digest, lockRow, refusal, registryOf, stateRow, variantRow } from "./support.ts";

const claim = (name: string) => ({ names: [name], owner: "io.example", overridden: [] });
const rowsOf = (name: string) => ({
  lock: lockRow(name),
  variants: [variantRow(name)],
  state: stateRow(name),
  claim: claim(name),
  consent: null,
});

describe("rows", () => {
  test("R2 a variant row has these fields and exactly one binding", () => {
    expect(Object.keys(v.parse(VariantRow, variantRow("fli"))).sort()).toEqual(
      [
        "op_id",
        "variant_id",
        "variant_schema_version",
        "owner_plugin",
        "title",
        "description",
        "risk_class",
        "confirmation_policy",
        "backend_kind",
        "interface_kind",
        "capabilities",
        "scopes",
        "auth_strategy",
        "output_profile",
        "null_elision_safe_fields",
        "schema_hashes",
        "tool_sha256",
        "binding",
      ].sort(),
    );
    const { binding } = variantRow("fli");
    expect(Object.keys(binding)).toEqual([
      "binding_schema_version",
      "adapter_key",
      "operation_key",
      "request_ref",
      "response_ref",
      "plugin_name",
      "tool_name",
    ]);
    for (const key of ["plugin.shape1-mcp", "plugin.jsonl", "plugin.handshake", "plugin.esm"]) {
      expect(v.is(VariantRow, { ...variantRow("fli"), binding: { ...binding, adapter_key: key } })).toBe(
        true,
      );
    }
    const wrong = [
      { ...variantRow("fli"), binding: { ...binding, adapter_key: "plugin.grpc" } },
      { ...variantRow("fli"), binding: [binding] },
      { ...variantRow("fli"), binding: undefined },
      { ...variantRow("fli"), bindings: binding },
    ];
    expect(wrong.map((row) => v.is(VariantRow, row))).toEqual([false, false, false, false]);
  });

  test("R3 a lock row has these fields, with the binding of the executable and the grants", () => {
    expect(Object.keys(v.parse(LockRow, lockRow("fli"))).sort()).toEqual(
      [
        "name",
        "version",
        "namespace_owner",
        "prefix",
        "package",
        "executable_path",
        "executable_sha256",
        "argv_normalized",
        "install_root",
        "source_sha256",
        "install_tree_sha256",
        "file_count",
        "total_bytes",
        "granted_capabilities",
        "sandbox",
        "signature",
        "install_pipeline_sha256",
        "tools_sha256",
        "pins",
        "interpreter",
        "linked",
        "installed_at",
        "seal",
        "plugin",
      ].sort(),
    );
  });

  test("R4 a state row has these fields", () => {
    expect(Object.keys(v.parse(StateRow, stateRow("fli"))).sort()).toEqual(
      [
        "name",
        "status",
        "installed_at",
        "activated_at",
        "quarantined",
        "quarantined_at",
        "reason",
        "last_error_code",
        "retry_count",
        "backoff_step",
        "next_retry_at",
        "permanent_quarantine",
        "needs_configuration",
        "last_canary",
      ].sort(),
    );
    const canary = { at, ok: true, latency_ms: 12.5, code: null };
    expect(v.is(StateRow, stateRow("fli", { last_canary: canary }))).toBe(true);
  });

  test("R16 the lock row holds the normalised plugin whole, and refuses one with a field missing or unknown", () => {
    const row = lockRow("fli");
    for (const key of [
      "env_allow",
      "canary",
      "rate_policy",
      "cache_ttl",
      "timeout_ms",
      "tools",
      "command",
      "shape",
    ]) {
      const plugin: Record<string, unknown> = { ...row.plugin };
      delete plugin[key];
      expect([key, v.is(LockRow, { ...row, plugin })]).toEqual([key, false]);
    }
    expect(v.is(LockRow, { ...row, plugin: { ...row.plugin, manifest_path: "x" } })).toBe(false);
  });

  test("an install adds its rows, replaces those of the same name, and shares every other row", () => {
    const before = registryOf("fli", "sea");
    const after = addPlugin(before, { ...rowsOf("fli"), lock: lockRow("fli", { version: "2.0.0" }) }, at);
    expect(after.lock.plugins.map((row) => [row.name, row.version])).toEqual([
      ["sea", "1.0.0"],
      ["fli", "2.0.0"],
    ]);
    expect(after.catalog.variants.map((row) => row.owner_plugin)).toEqual(["sea", "fli"]);
    expect(after.lock.plugins[0]).toBe(before.lock.plugins[1]);
    expect(before.lock.plugins.map((row) => row.version)).toEqual(["1.0.0", "1.0.0"]);
  });

  test("M38 a variant_id of another plugin is refused, one of the plugin being replaced is not", async () => {
    const before = registryOf("fli");
    const rows = {
      ...rowsOf("sea"),
      variants: [variantRow("sea", { variant_id: "fli.search.mcp-plugin.v1" })],
    };
    expect(await refusal(() => addPlugin(before, rows, at))).toMatchObject({
      code: "PLUGIN_MANIFEST_INVALID",
      message: 'The variant_id "fli.search.mcp-plugin.v1" of plugin "sea" is taken by plugin "fli".',
    });
    expect(addPlugin(before, rowsOf("fli"), at).catalog.variants).toHaveLength(1);
  });

  test("M29 the same ref with another digest collides; the same body, or that of the replaced plugin, does not", async () => {
    const before = registryOf("fli");
    const shared = (sha256: string) => ({
      ...rowsOf("sea"),
      variants: [variantRow("sea", { schema_hashes: { "fli.search.request": sha256 } })],
    });
    expect(await refusal(() => addPlugin(before, shared(digest("6")), at))).toMatchObject({
      code: "SCHEMA_REF_COLLISION",
      message: 'The schema "fli.search.request" of plugin "sea" has another body than that of plugin "fli".',
    });
    expect(addPlugin(before, shared(digest("5")), at).lock.plugins).toHaveLength(2);
    const upgrade = {
      ...rowsOf("fli"),
      variants: [variantRow("fli", { schema_hashes: { "fli.search.request": digest("6") } })],
    };
    expect(addPlugin(before, upgrade, at).lock.plugins).toHaveLength(1);
  });

  test("M29 plugins that are quarantined or not configured count as well", async () => {
    for (const more of [{ quarantined: true }, { needs_configuration: true }]) {
      const before = withState(registryOf("fli"), "fli", (row) => ({ ...row, ...more }));
      const rows = {
        ...rowsOf("sea"),
        variants: [variantRow("sea", { schema_hashes: { "fli.search.request": digest("6") } })],
      };
      expect((await refusal(() => addPlugin(before, rows, at))).code).toBe("SCHEMA_REF_COLLISION");
    }
  });

  test("removing an unknown plugin names the nearest", async () => {
    expect(await refusal(() => removePlugin(registryOf("flights"), "flight"))).toMatchObject({
      code: "PLUGIN_NOT_FOUND",
      message: 'No plugin "flight" is installed in this profile: did you mean "flights"?',
    });
  });
});

describe("status", () => {
  test("R12 quarantined wins over needs_configuration, that over pending, and active is what is left", () => {
    const rows = [
      { quarantined: true, needs_configuration: true, activated_at: at },
      { quarantined: false, needs_configuration: true, activated_at: at },
      { quarantined: false, needs_configuration: false, activated_at: null },
      { quarantined: false, needs_configuration: false, activated_at: at },
    ];
    expect(rows.map((more) => statusOf(stateRow("fli", more)))).toEqual([
      "quarantined",
      "needs_configuration",
      "installed_pending_restart",
      "active",
    ]);
    expect(v.is(StateRow, { ...stateRow("fli"), status: "broken" })).toBe(false);
  });

  test("R13 activation takes configured, non-quarantined plugins, once, with the time of the process", () => {
    let registry = registryOf("fli", "sea", "sky");
    registry = withState(registry, "sea", (row) => ({ ...row, quarantined: true }));
    registry = withState(registry, "sky", (row) => ({ ...row, needs_configuration: true }));
    const active = activate(registry, "2026-03-05T00:00:00.000Z");
    expect(active.state.plugins.map((row) => [row.name, row.activated_at, row.status])).toEqual([
      ["fli", "2026-03-05T00:00:00.000Z", "active"],
      ["sea", null, "installed_pending_restart"],
      ["sky", null, "installed_pending_restart"],
    ]);
    expect(activate(active, "2026-03-06T00:00:00.000Z")).toBe(active);
  });

  test("R13 a state row without an installed plugin is never activated", () => {
    const registry = registryOf("fli");
    const orphan = { ...registry, lock: { ...registry.lock, plugins: [] } };
    expect(activate(orphan, at)).toBe(orphan);
  });

  test("R13 for a running server later installs and activations are pending, removals and quarantines count at once", () => {
    const start = activate(registryOf("fli", "sea"), at);
    const snapshot = takeSnapshot(start);
    let now = activate(registryOf("fli", "sea", "new"), at);
    expect(["fli", "new", "none"].map((name) => statusIn(snapshot, now, name))).toEqual([
      "active",
      "installed_pending_restart",
      undefined,
    ]);
    now = withState(now, "fli", (row) => ({ ...row, quarantined: true }));
    now = removePlugin(now, "sea");
    expect(["fli", "sea", "new"].map((name) => statusIn(snapshot, now, name))).toEqual([
      "quarantined",
      undefined,
      "installed_pending_restart",
    ]);
    expect([...snapshot.active.keys()]).toEqual(["fli", "sea"]);
  });

  test("R14 a lookup joins the three files by name, and a disagreement of lock and catalog is said", () => {
    const registry = registryOf("fli", "sea");
    expect(viewPlugin(registry, "fli")).toEqual({
      lock: lockRow("fli"),
      state: stateRow("fli"),
      variants: [variantRow("fli")],
      metadataWarning: undefined,
    });
    const lost = { ...registry, catalog: { ...registry.catalog, variants: [variantRow("sea")] } };
    expect(viewPlugin(lost, "fli")?.metadataWarning).toBe("lock_catalog_mismatch");
    const unlocked = { ...registry, lock: { ...registry.lock, plugins: [] } };
    expect(viewPlugin(unlocked, "fli")).toMatchObject({
      lock: undefined,
      metadataWarning: "lock_catalog_mismatch",
    });
    expect(viewPlugin(registry, "nobody")).toBeUndefined();
  });
});
