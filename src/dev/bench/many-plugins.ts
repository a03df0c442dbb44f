import { mkdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import type { Host } from "../../host/host.ts";
import { createHost } from "../../host/real.ts";
import type { Plugin } from "../../model/plugin.ts";
import type { Registry } from "../../model/registry.ts";
import { publish } from "../../registry/generations.ts";
import { openProfile, type Profile } from "../../registry/profile.ts";
import { addPlugin, newStateRow } from "../../registry/rows.ts";
import { benchFolder } from "./programs.ts";

const at = "2026-01-01T00:00:00.000Z";
const digest = "0".repeat(64);

/** A home with a registry of so many plugins, as installs would have left it. */
export async function profileWith(
  count: number,
  change: Partial<Host["files"]> = {},
): Promise<{ host: Host; profile: Profile; home: string }> {
  const home = resolve(benchFolder, `home-${count}`);
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const real = createHost();
  const host = {
    ...real,
    env: { HOME: home },
    machine: { ...real.machine, home },
    files: { ...real.files, ...change },
  };
  const profile = await openProfile(host);
  await publish(host, profile, (registry) => withPlugins(registry, count), { command: "bench" });
  return { host, profile, home };
}

/** The registry with one more plugin. */
export function withPlugin(registry: Registry, name: string): Registry {
  const plugin = pluginOf(name);
  const tool = plugin.tools[0];
  if (tool === undefined) throw new Error("Cannot measure: the plugin has no tool");
  return addPlugin(
    registry,
    {
      lock: {
        name,
        version: plugin.version,
        namespace_owner: plugin.namespace_owner,
        prefix: name,
        package: plugin.package,
        executable_path: `/opt/plugins/${name}/bin/run`,
        executable_sha256: digest,
        argv_normalized: [`/opt/plugins/${name}/bin/run`],
        install_root: `/opt/plugins/${name}`,
        source_sha256: digest,
        install_tree_sha256: digest,
        file_count: 10,
        total_bytes: 10_000,
        granted_capabilities: { read: [], write: [], shm: false, capabilities: [] },
        sandbox: { network: false, fs_write_dir: "" },
        signature: { verified: false, key_id: null },
        install_pipeline_sha256: digest,
        tools_sha256: digest,
        pins: null,
        interpreter: null,
        linked: false,
        installed_at: at,
        seal: "seal",
        plugin,
      },
      variants: [
        {
          op_id: tool.op_id,
          variant_id: tool.variant_id,
          variant_schema_version: 1,
          owner_plugin: name,
          title: tool.name,
          description: tool.description,
          risk_class: "read",
          confirmation_policy: "none",
          backend_kind: "mcp-plugin",
          interface_kind: "plugin-mcp",
          capabilities: [],
          scopes: [],
          auth_strategy: "none",
          output_profile: null,
          null_elision_safe_fields: [],
          schema_hashes: {},
          tool_sha256: digest,
          binding: {
            binding_schema_version: 1,
            adapter_key: "plugin.shape1-mcp",
            operation_key: tool.op_id,
            request_ref: null,
            response_ref: null,
            plugin_name: name,
            tool_name: tool.name,
          },
        },
      ],
      state: { ...newStateRow(name, at, { needsConfiguration: false }), activated_at: at, status: "active" },
      claim: { names: [name], owner: plugin.namespace_owner, overridden: [] },
      consent: null,
    },
    at,
  );
}

function withPlugins(registry: Registry, count: number): Registry {
  let grown = registry;
  for (let index = 0; index < count; index++) grown = withPlugin(grown, `plugin-${index}`);
  return grown;
}

function pluginOf(name: string): Plugin {
  return {
    id: name,
    title: name,
    version: "1.0.0",
    description: "A plugin to measure with.",
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
    tools: [
      {
        name: "search",
        title: null,
        description: "Searches for something and answers with a list.",
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
      },
    ],
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
  };
}
