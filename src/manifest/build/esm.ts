import { isRecord } from "../../base/record.ts";
import type { Plugin, Tool } from "../../model/plugin.ts";
import { rowsOf, type Table, tableOf, textOf, textOrNull, textsOf } from "../access.ts";
import { riskFromAnnotations } from "../annotations.ts";
import { derivedTool } from "./flat.ts";

/** The plugin of an mcp-plugin.json whose fields were found valid; the owner is settled by the caller (M33). */
export function buildEsm(value: Table, owner: string): Plugin {
  const id = textOf(value.name);
  const metadata = tableOf(value.metadata);
  const permissions = permissionsOf(value.permissions);
  return {
    id,
    title: textOrNull(metadata.displayName) ?? id,
    version: textOf(value.version),
    description: textOrNull(value.description) ?? textOf(metadata.description),
    license: textOrNull(value.license) ?? textOrNull(metadata.license),
    homepage: textOrNull(value.homepage) ?? textOrNull(metadata.homepage),
    tos_status: null,
    risk: null,
    namespace_owner: owner,
    prefix: id,
    shape: "esm-plugin",
    command: [textOf(value.entry)],
    env: {},
    package: { source: "local", ref: "", checksum: "" },
    tools: declared(tableOf(value.capabilities).tools).map((entry) => buildTool(id, entry)),
    network: permissions.network,
    fs_write_dir: "",
    env_allow: [],
    requests: { read: outside(permissions.fs_read), write: outside(permissions.fs_write), shm: false },
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
    esm: buildSpec(value, permissions),
  };
}

function buildSpec(
  value: Table,
  permissions: NonNullable<Plugin["esm"]>["permissions"],
): NonNullable<Plugin["esm"]> {
  return {
    entry: textOf(value.entry),
    manifest_version: value.manifestVersion === "2" ? "2" : "1",
    declared: declaredNames(tableOf(value.capabilities)),
    permissions,
    dependencies: textsOf(value.dependencies),
    external_dependencies: Object.fromEntries(
      rowsOf(value.externalDependencies).map((row) => [textOf(row.name), textOf(row.version)]),
    ),
    dependencies_policy: textOrNull(value.dependenciesPolicy),
  };
}

function buildTool(id: string, entry: Table): Tool {
  const annotations = tableOf(entry.annotations);
  return {
    ...derivedTool(id, textOf(entry.name), "esm-plugin"),
    title: textOrNull(entry.title) ?? textOrNull(annotations.title),
    description: textOf(entry.description),
    risk_class: riskFromAnnotations(annotations),
  };
}

function declaredNames(capabilities: Table): NonNullable<Plugin["esm"]>["declared"] {
  const names = (value: unknown) => declared(value).map((entry) => textOf(entry.name));
  return {
    tools: names(capabilities.tools),
    resources: names(capabilities.resources),
    prompts: names(capabilities.prompts),
  };
}

/** Entries are names or objects with a name. */
function declared(value: unknown): Table[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry: unknown) => (typeof entry === "string" ? { name: entry } : tableOf(entry)));
}

/** Absent permissions deny (M40). v1 may list `{ id, reason }` instead of an object. */
function permissionsOf(value: unknown): NonNullable<Plugin["esm"]>["permissions"] {
  const table = Array.isArray(value)
    ? Object.fromEntries(rowsOf(value).map((row) => [textOf(row.id), true]))
    : tableOf(value);
  return {
    network: table.network === true,
    fs_read: paths(table.fsRead),
    fs_write: paths(table.fsWrite),
    exec: table.exec === true,
  };
}

/** `true` names no path: it is the plugin's own folder, which it has anyway. */
function paths(value: unknown): string[] {
  return value === true ? ["."] : textsOf(value);
}

/** Paths beyond the plugin's own folders, which only the operator can grant. */
function outside(list: readonly string[]): string[] {
  return list.filter((path) => path.startsWith("/") || path.startsWith("~"));
}

/** The owner that the manifest itself names. */
export function declaredOwner(value: Table): string | null {
  return isRecord(value)
    ? (textOrNull(value.namespace_owner) ?? textOrNull(value["x-namespace-owner"]))
    : null;
}
