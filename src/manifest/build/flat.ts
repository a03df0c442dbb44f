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
import { interfaceOf } from "../models/nested.ts";
import { buildHandshake, buildRequests, buildRequirements, confirmationOf } from "./common.ts";

/** The plugin of a flat manifest whose fields were found valid. */
export function buildFlat(value: Table): Plugin {
  const id = textOf(value.plugin_id);
  const shape = shapes.find((known) => known === value.shape) ?? "mcp-plugin";
  const declared = tableOf(value.declared_capabilities);
  return {
    id,
    title: textOf(value.name),
    version: textOf(value.version),
    description: textOf(value.description),
    license: textOrNull(value.license),
    homepage: textOrNull(value.homepage),
    tos_status: null,
    risk: null,
    namespace_owner: textOf(value.namespace_owner),
    prefix: id,
    shape,
    command: [textOf(value.executable), ...textsOf(value.args)],
    env: textMapOf(value.env),
    package: { source: "local", ref: "", checksum: "" },
    tools: rowsOf(value.advertised_tools).map((row) => buildTool(row, id, shape)),
    network: declared.network === true,
    fs_write_dir: textOf(declared.fs_write_dir),
    env_allow: textsOf(declared.env_allow),
    requests: buildRequests(value.requests),
    ...buildRequirements(tableOf(value.requirements)),
    timeout_ms: numberOrNull(value.timeout_ms),
    capabilities: textsOf(value.capabilities),
    handshake: buildHandshake(shape, id, value.handshake),
    esm: null,
  };
}

function buildTool(row: Table, id: string, shape: Shape): Tool {
  const name = textOf(row.name);
  return {
    ...derivedTool(id, name, shape),
    title: textOrNull(row.title),
    description: textOf(row.description),
    risk_class: riskClasses.find((known) => known === row.risk_class) ?? "destructive",
    confirmation_policy: confirmationOf(row.confirmation_policy),
    output_profile: textOrNull(row.output_profile),
    null_elision_safe_fields: textsOf(row.null_elision_safe_fields),
  };
}

/** A tool of a form that declares no op: its ids follow from plugin, name and shape (M39). */
export function derivedTool(pluginId: string, name: string, shape: Shape): Tool {
  const opId = `${pluginId}.${name}`;
  return {
    name,
    title: null,
    description: "",
    op_id: opId,
    variant_id: `${opId}.${shape}.v1`,
    backend_kind: shape,
    interface_kind: interfaceOf[shape],
    risk_class: "destructive",
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
