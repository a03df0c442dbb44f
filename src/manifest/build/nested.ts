import { type Plugin, type Shape, shapes, type Tool } from "../../model/plugin.ts";
import { riskClasses } from "../../model/risk.ts";
import {
  numberOrNull,
  rowsOf,
  type Table,
  tableOf,
  textMapOf,
  textOf,
  textOrNull,
  textsOf,
} from "../access.ts";
import { commandWords } from "../checks/program.ts";
import { buildHandshake, buildRequests, buildRequirements, confirmationOf } from "./common.ts";

/** The plugin of a nested manifest whose fields were found valid. */
export function buildNested(value: Table): Plugin {
  const plugin = tableOf(value.plugin);
  const requirements = tableOf(value.requirements);
  const id = textOf(plugin.name);
  const shape = shapeOf(plugin.shape);
  const tools = rowsOf(value.tools).map(buildTool);
  return {
    id,
    title: textOrNull(plugin.title) ?? id,
    version: textOf(plugin.version),
    description: textOf(plugin.description),
    license: textOrNull(plugin.license),
    homepage: textOrNull(plugin.homepage),
    tos_status: textOrNull(plugin.tos_status),
    risk: textOrNull(plugin.risk),
    namespace_owner: textOf(plugin.namespace_owner),
    prefix: opPrefix(tools[0]?.op_id ?? id),
    shape,
    command: commandWords(plugin.command),
    env: textMapOf(value.env),
    package: buildPackage(tableOf(value.package)),
    tools,
    network: requirements.network === true,
    fs_write_dir: textOf(requirements.fs_write_dir),
    env_allow: textsOf(requirements.env_allow),
    requests: buildRequests(value.requests),
    ...buildRequirements(requirements),
    timeout_ms: numberOrNull(plugin.timeout_ms),
    capabilities: textsOf(plugin.capabilities),
    handshake: buildHandshake(shape, id, value.handshake),
    esm: null,
  };
}

/** The part of an op id before its first dot, which the namespace lock claims (M23). */
export function opPrefix(opId: string): string {
  return opId.split(".", 1)[0] ?? opId;
}

function shapeOf(shape: unknown): Shape {
  return shapes.find((known) => known === shape) ?? "mcp-plugin";
}

function buildPackage(table: Table): Plugin["package"] {
  return { source: textOf(table.source), ref: textOf(table.ref), checksum: textOf(table.checksum) };
}

function buildTool(row: Table): Tool {
  return {
    name: textOf(row.tool_name),
    title: textOrNull(row.title),
    description: textOf(row.description),
    op_id: textOf(row.op_id),
    variant_id: textOf(row.variant_id),
    backend_kind: textOf(row.backend_kind),
    interface_kind: textOf(row.interface_kind),
    risk_class: riskClasses.find((known) => known === row.risk_class) ?? "destructive",
    confirmation_policy: confirmationOf(row.confirmation_policy),
    capabilities: textsOf(row.capabilities),
    scopes: textsOf(row.scopes),
    schema_ref: textOrNull(row.schema_ref),
    output_profile: textOrNull(row.output_profile),
    raw_result_allowed: row.raw_result_allowed === true,
    token_budget_exception: textOrNull(row.token_budget_exception),
    null_elision_safe_fields: textsOf(row.null_elision_safe_fields),
    execution_support: textOrNull(row.execution_support),
  };
}
