import { wantedConsent } from "../model/consent-scope.ts";
import type { Binding, CanaryReport } from "../model/install.ts";
import type { Plugin, Shape, Tool } from "../model/plugin.ts";
import type { LockRow, StateRow, VariantRow } from "../model/registry.ts";
import type { ResolvedSchema } from "../model/schema-bundle.ts";
import type { ListedTool } from "../model/session.ts";
import { defineStep } from "../pipeline/step.ts";
import { afterFailure } from "../registry/backoff.ts";
import { claimNames } from "../registry/namespaces.ts";
import { addPlugin, newStateRow } from "../registry/rows.ts";
import { resolvedSchema } from "../registry/schema-store.ts";
import { toolDigest } from "../wire/tool-digest.ts";
import { type PinnedTools, pinsFor } from "./pins.ts";
import { requestRefOf, schemaRefOf } from "./schema-refs.ts";

/** What the next generation will say about the plugin; namespaces are proven once more inside the transaction. */
export const composeRows = defineStep({
  name: "compose-rows",
  summary: "Compose the plugin's rows for the next generation.",
  needs: [
    "plugin",
    "profile",
    "flags",
    "claim",
    "consent",
    "staged",
    "binding",
    "signature",
    "canaryReport",
    "schemas",
  ],
  gives: ["update"],
  codes: ["PLUGIN_SCHEMA_REF_INVALID"],
  run({ plugin, profile, flags, consent, binding, signature, canaryReport, schemas }, { run, host }) {
    const listed = new Map(canaryReport.listed.map((tool) => [tool.name, tool]));
    const pinned = pinsFor(plugin.id, canaryReport.listed);
    const stored = [...schemas, ...listedSchemas(plugin, listed, schemas), ...(pinned ? [pinned.list] : [])];
    const variants = plugin.tools.map((tool) => variantRow(plugin, tool, listed.get(tool.name), stored));
    const now = new Date(host.clock.now()).toISOString();
    const lock = {
      ...lockRow(plugin, binding, pinned, run.pipelineSha256, consent.grants, now),
      signature: { verified: signature.verified, key_id: signature.keyId },
    };
    const state = stateRow(plugin, canaryReport, now, host.clock.now());
    const given = consent.how === "remembered" ? null : { at: now, ...wantedConsent(plugin, consent.grants) };
    return {
      update: {
        command: `plugin install ${plugin.id}`,
        schemas: stored,
        change: (registry, transaction) => {
          const claim = claimNames(registry, plugin, {
            isDev: profile.isDev,
            overrideConflict: flags.devAllowNamespaceConflict,
          });
          return addPlugin(registry, { lock, variants, state, claim, consent: given }, transaction.now);
        },
      },
    };
  },
});

/** Tools without a schema_ref have the input schema that the running plugin listed (M30). */
function listedSchemas(
  plugin: Plugin,
  listed: ReadonlyMap<string, ListedTool>,
  known: readonly ResolvedSchema[],
): ResolvedSchema[] {
  return plugin.tools.flatMap((tool) => {
    const schema = listed.get(tool.name)?.inputSchema;
    if (tool.schema_ref !== null || schema === undefined) return [];
    const resolved = resolvedSchema(requestRefOf(plugin, tool), schema);
    return known.some(({ ref }) => ref === resolved.ref) ? [] : [resolved];
  });
}

const adapterKeys = {
  "mcp-plugin": "plugin.shape1-mcp",
  "jsonl-plugin": "plugin.jsonl",
  "handshake-plugin": "plugin.handshake",
  "esm-plugin": "plugin.esm",
} as const satisfies Record<Shape, VariantRow["binding"]["adapter_key"]>;

function variantRow(
  plugin: Plugin,
  tool: Tool,
  listed: ListedTool | undefined,
  stored: readonly ResolvedSchema[],
): VariantRow {
  const schemaOf = (side: "request" | "response") =>
    stored.find(({ ref }) => ref === `${schemaRefOf(plugin, tool)}.${side}`);
  const [request, response] = [schemaOf("request"), schemaOf("response")];
  return {
    op_id: tool.op_id,
    variant_id: tool.variant_id,
    variant_schema_version: 1,
    owner_plugin: plugin.id,
    title: tool.title ?? listed?.title ?? tool.name,
    description: tool.description,
    risk_class: tool.risk_class,
    confirmation_policy: tool.confirmation_policy,
    backend_kind: tool.backend_kind,
    interface_kind: tool.interface_kind,
    capabilities: tool.capabilities,
    scopes: tool.scopes,
    auth_strategy: plugin.auth_strategy,
    output_profile: tool.output_profile,
    null_elision_safe_fields: tool.null_elision_safe_fields,
    schema_hashes: Object.fromEntries(
      [request, response].flatMap((one) => (one === undefined ? [] : [[one.ref, one.sha256]])),
    ),
    tool_sha256: listed === undefined ? null : toolDigest(listed),
    binding: {
      binding_schema_version: 1,
      adapter_key: adapterKeys[plugin.shape],
      operation_key: tool.op_id,
      request_ref: request?.ref ?? null,
      response_ref: response?.ref ?? null,
      plugin_name: plugin.id,
      tool_name: tool.name,
    },
  };
}

function lockRow(
  plugin: Plugin,
  binding: Binding,
  pinned: PinnedTools | null,
  pipelineSha256: string,
  grants: LockRow["granted_capabilities"],
  now: string,
): Omit<LockRow, "signature"> {
  return {
    name: plugin.id,
    version: plugin.version,
    namespace_owner: plugin.namespace_owner,
    prefix: plugin.prefix,
    package: plugin.package,
    executable_path: binding.executablePath,
    executable_sha256: binding.executableSha256,
    argv_normalized: [...binding.argv],
    install_root: binding.installRoot,
    source_sha256: binding.sourceSha256,
    install_tree_sha256: binding.treeSha256,
    file_count: binding.fileCount,
    total_bytes: binding.totalBytes,
    granted_capabilities: grants,
    sandbox: { network: plugin.network, fs_write_dir: plugin.fs_write_dir },
    install_pipeline_sha256: pipelineSha256,
    tools_sha256: pinned?.toolsSha256 ?? null,
    pins: pinned?.pins ?? null,
    interpreter: binding.interpreter,
    linked: false,
    installed_at: now,
    seal: binding.seal,
    plugin,
  };
}

function stateRow(plugin: Plugin, report: CanaryReport, now: string, nowMs: number): StateRow {
  const ran = report.mode !== "skip";
  const last = ran
    ? { at: now, ok: report.ok, latency_ms: Math.round(report.latencyMs), code: report.code }
    : null;
  const row = newStateRow(plugin.id, now, { needsConfiguration: report.needsConfiguration, canary: last });
  return report.ok
    ? row
    : afterFailure(row, { code: "CANARY_FAILED", reason: report.reason ?? "", now: nowMs });
}
