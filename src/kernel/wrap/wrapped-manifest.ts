import { riskFromAnnotations } from "../../manifest/annotations.ts";
import { isReservedName } from "../../model/reserved-names.ts";
import type { RiskClass } from "../../model/risk.ts";
import { stripUnsafe } from "../../model/safe-text.ts";
import type { Description } from "../../model/session.ts";
import type { ServerWishes } from "./list-server.ts";
import type { ServerFacts, ServerPlan } from "./server-plan.ts";

/** Under which names the server becomes a plugin. */
export interface PluginNames {
  readonly id: string;
  readonly owner: string;
}

/** A tool as the manifest declares it. */
export interface WrappedTool {
  readonly name: string;
  readonly risk_class: RiskClass;
}

/** The id and the owner that were said, or that follow from where the server comes from. */
export function namesFor(
  facts: ServerFacts,
  said: { readonly id?: string | undefined; readonly owner?: string | undefined },
): PluginNames {
  const id = said.id ?? idFrom(facts.id);
  return { id, owner: said.owner ?? facts.owner ?? `local.${id}` };
}

/** A valid id that looks like the name; names that no plugin may take get a prefix (T3). */
function idFrom(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  const id = /^[a-z]/.test(plain) ? plain : `mcp-${plain}`;
  return isReservedName(id) ? `mcp-${id}` : id;
}

/** The tools with the risk that their annotations state, MCP's defaults where they state none (M33). */
export function wrappedTools({ tools }: Description): WrappedTool[] {
  return tools.map(({ name, annotations }) => ({ name, risk_class: riskFromAnnotations(annotations) }));
}

/** The manifest of a wrapped server, in the flat form. */
export function wrappedManifest(
  plan: ServerPlan,
  { id, owner }: PluginNames,
  description: Description,
  wishes: ServerWishes,
): Record<string, unknown> {
  const { facts } = plan;
  const { grants, network, env, envAllow } = wishes;
  const requests = {
    ...(grants.read.length > 0 ? { read: grants.read } : {}),
    ...(grants.write.length > 0 ? { write: grants.write } : {}),
    ...(grants.shm ? { shm: true } : {}),
  };
  const described = facts.description ?? `The MCP server ${description.server?.name ?? id}, wrapped.`;
  return {
    manifest_schema_version: 1,
    plugin_id: id,
    name: plain(description.server?.name ?? facts.id) || id,
    version: facts.version ?? (plain(description.server?.version ?? "") || "0.0.0"),
    description: plain(described),
    ...(facts.license === undefined ? {} : { license: plain(facts.license) }),
    ...(facts.homepage === undefined ? {} : { homepage: facts.homepage }),
    namespace_owner: owner,
    shape: "mcp-plugin",
    executable: plan.executable,
    ...(plan.args.length > 0 ? { args: plan.args } : {}),
    ...(Object.keys(env).length > 0 ? { env } : {}),
    advertised_tools: description.tools.map((tool) => ({
      name: tool.name,
      ...(tool.title === undefined ? {} : { title: plain(tool.title) }),
      ...(tool.description === undefined ? {} : { description: stripUnsafe(tool.description).trim() }),
      risk_class: riskFromAnnotations(tool.annotations),
    })),
    declared_capabilities: { network, fs_write_dir: "", env_allow: envAllow },
    ...(Object.keys(requests).length > 0 ? { requests } : {}),
  };
}

function plain(text: string): string {
  return stripUnsafe(text).replace(/\s+/g, " ").trim();
}
