import { chmodSync, lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Host } from "../../src/host/host.ts";
import { createHost } from "../../src/host/real.ts";
import type { LockRow, Registry, StateRow, VariantRow } from "../../src/model/registry.ts";

export const digest = (letter: string) => letter.repeat(64);
export const at = "2026-03-01T10:00:00.000Z";

/** A folder of the test's own, gone when the test's `using` ends. */
export function tempFolder(): { path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), "gum-registry-"));
  return {
    path,
    [Symbol.dispose]() {
      openUp(path);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Install roots are read-only, and an unprivileged user cannot remove what is in such a folder. */
function openUp(path: string): void {
  if (!lstatSync(path).isDirectory()) return;
  chmodSync(path, 0o700);
  for (const name of readdirSync(path)) openUp(join(path, name));
}

/** A real host whose warnings are kept. */
export function testHost(options: Partial<Host> = {}): Host & { warnings: string[] } {
  const warnings: string[] = [];
  const real = createHost();
  const log = {
    level: "warn" as const,
    debug() {},
    info() {},
    warn: (message: string) => void warnings.push(message),
  };
  return { ...real, log, ...options, warnings };
}

/** A real host on which chosen file calls fail. */
export function failingHost(faults: Partial<Host["files"]>): Host & { warnings: string[] } {
  const host = testHost();
  return { ...host, files: { ...host.files, ...faults }, warnings: host.warnings };
}

export function errno(code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { code });
}

/** Every path below a folder with its mode and content, to compare before and after. */
export function picture(root: string, folder = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(root, folder)).sort()) {
    const path = folder === "" ? name : `${folder}/${name}`;
    const facts = lstatSync(join(root, path));
    const mode = (facts.mode & 0o7777).toString(8);
    if (facts.isDirectory()) Object.assign(found, { [path]: `folder ${mode}` }, picture(root, path));
    else if (facts.isSymbolicLink()) found[path] = `-> ${readlinkSync(join(root, path))}`;
    else found[path] = `${mode} ${readFileSync(join(root, path), "utf8")}`;
  }
  return found;
}

export function lockRow(name: string, more: Partial<LockRow> = {}): LockRow {
  return {
    name,
    version: "1.0.0",
    namespace_owner: "io.example",
    prefix: name,
    package: { source: "local", ref: "", checksum: "" },
    executable_path: `/data/plugins/${name}/aaaaaaaaaaaa-bbbbbbbb/bin/run`,
    executable_sha256: digest("1"),
    argv_normalized: ["bin/run"],
    install_root: `/data/plugins/${name}/aaaaaaaaaaaa-bbbbbbbb`,
    source_sha256: digest("2"),
    install_tree_sha256: digest("3"),
    file_count: 2,
    total_bytes: 100,
    granted_capabilities: { read: [], write: [], shm: false, capabilities: [] },
    sandbox: { network: false, fs_write_dir: "" },
    signature: { verified: false, key_id: null },
    install_pipeline_sha256: digest("4"),
    tools_sha256: null,
    pins: null,
    interpreter: null,
    linked: false,
    installed_at: at,
    seal: "aaaaaaaaaaaa-bbbbbbbb.seal",
    plugin: {
      id: name,
      title: name,
      version: "1.0.0",
      description: "A plugin.",
      license: "MIT",
      homepage: null,
      tos_status: null,
      risk: null,
      namespace_owner: "io.example",
      prefix: name,
      shape: "mcp-plugin",
      command: ["bin/run"],
      env: {},
      package: { source: "local", ref: "", checksum: "" },
      tools: [tool(name)],
      network: false,
      fs_write_dir: "",
      env_allow: [],
      requests: { read: [], write: [], shm: false },
      needs_user_creds: [],
      credential_descriptors: [],
      auth_strategy: "none",
      auth_components: [],
      canary: null,
      rate_policy: null,
      cache_ttl: null,
      timeout_ms: null,
      capabilities: [],
      handshake: null,
      esm: null,
    },
    ...more,
  };
}

function tool(name: string): LockRow["plugin"]["tools"][number] {
  return {
    name: "search",
    title: null,
    description: "Searches.",
    op_id: `${name}.search`,
    variant_id: `${name}.search.mcp-plugin.v1`,
    backend_kind: "mcp-plugin",
    interface_kind: "plugin-mcp",
    risk_class: "read",
    confirmation_policy: "none",
    capabilities: [],
    scopes: [],
    schema_ref: null,
    output_profile: null,
    raw_result_allowed: false,
    token_budget_exception: null,
    null_elision_safe_fields: [],
    execution_support: null,
  };
}

export function variantRow(plugin: string, more: Partial<VariantRow> = {}): VariantRow {
  return {
    op_id: `${plugin}.search`,
    variant_id: `${plugin}.search.mcp-plugin.v1`,
    variant_schema_version: 1,
    owner_plugin: plugin,
    title: "search",
    description: "Searches.",
    risk_class: "read",
    confirmation_policy: "none",
    backend_kind: "mcp-plugin",
    interface_kind: "plugin-mcp",
    capabilities: [],
    scopes: [],
    auth_strategy: "none",
    output_profile: null,
    null_elision_safe_fields: [],
    schema_hashes: { [`${plugin}.search.request`]: digest("5") },
    tool_sha256: null,
    binding: {
      binding_schema_version: 1,
      adapter_key: "plugin.shape1-mcp",
      operation_key: `${plugin}.search`,
      request_ref: `${plugin}.search.request`,
      response_ref: null,
      plugin_name: plugin,
      tool_name: "search",
    },
    ...more,
  };
}

export function stateRow(name: string, more: Partial<StateRow> = {}): StateRow {
  return {
    name,
    status: "installed_pending_restart",
    installed_at: at,
    activated_at: null,
    quarantined: false,
    quarantined_at: null,
    reason: null,
    last_error_code: null,
    retry_count: 0,
    backoff_step: 0,
    next_retry_at: null,
    permanent_quarantine: false,
    needs_configuration: false,
    last_canary: null,
    ...more,
  };
}

/** A registry with these plugins and nothing special about them. */
export function registryOf(...names: string[]): Registry {
  const stamp = { install_generation: 1, install_txid: "00000000000000aa", updated_at: at };
  return {
    catalog: { plugin_catalog_schema_version: 1, ...stamp, variants: names.map((name) => variantRow(name)) },
    lock: {
      plugins_lock_schema_version: 1,
      ...stamp,
      plugins: names.map((name) => lockRow(name)),
      namespaces: names.map((prefix) => ({
        prefix,
        namespace_owner: "io.example",
        claimed_at: at,
        transfer_history: [],
        consent: null,
      })),
    },
    state: { plugin_state_schema_version: 1, ...stamp, plugins: names.map((name) => stateRow(name)) },
  };
}

/** A change that installs one more plugin. */
export function adding(name: string, more: { lock?: Partial<LockRow> } = {}) {
  return (current: Registry): Registry => ({
    catalog: { ...current.catalog, variants: [...current.catalog.variants, variantRow(name)] },
    lock: { ...current.lock, plugins: [...current.lock.plugins, lockRow(name, more.lock)] },
    state: { ...current.state, plugins: [...current.state.plugins, stateRow(name)] },
  });
}

/** The code of a GumError that the promise or the call ends with, and its sentence. */
export async function refusal(
  work: () => unknown,
): Promise<{ code: string; message: string; details: unknown }> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Error && error.name === "GumError" && "code" in error && "info" in error) {
      const details = error.info instanceof Object ? Reflect.get(error.info, "details") : undefined;
      return { code: String(error.code), message: error.message, details };
    }
    throw error;
  }
  throw new Error("Nothing was refused");
}
