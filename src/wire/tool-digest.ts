// T28: what is pinned of a running plugin's tools, and W7: whether they are those of the manifest.
import { jsonDigest } from "../base/digest.ts";
import { GumError } from "../base/errors.ts";
import type { Description, ListedTool } from "../model/session.ts";
import { oneLine } from "./text.ts";

/** The JCS digest of a tool's name, description, input and output schema and annotations; what is absent is left out. */
export function toolDigest(tool: ListedTool): string {
  const { name, description, inputSchema, outputSchema, annotations } = tool;
  return jsonDigest({
    name,
    ...(description === undefined ? {} : { description }),
    ...(inputSchema === undefined ? {} : { input_schema: inputSchema }),
    ...(outputSchema === undefined ? {} : { output_schema: outputSchema }),
    ...(annotations === undefined ? {} : { annotations }),
  });
}

/** The digest of a whole list, whatever its order. */
export function toolsDigest(tools: readonly ListedTool[]): string {
  return jsonDigest(Object.fromEntries(tools.map((tool) => [tool.name, toolDigest(tool)])));
}

export interface ToolNames {
  /** In the manifest, not offered by the running plugin. */
  readonly missing: readonly string[];
  /** Offered by the running plugin, not in the manifest. */
  readonly extra: readonly string[];
}

/** How the offered names differ from the manifest's; undefined when they do not. */
export function compareNames(declared: readonly string[], offered: readonly string[]): ToolNames | undefined {
  const missing = declared.filter((name) => !offered.includes(name)).sort();
  const extra = offered.filter((name) => !declared.includes(name)).sort();
  return missing.length === 0 && extra.length === 0 ? undefined : { missing, extra };
}

/** Refuses a plugin whose `tools/list` is not the manifest's set; a tool that was rejected counts as missing. */
export function requireDeclaredTools(
  plugin: string,
  declared: readonly string[],
  description: Description,
): void {
  const offered = description.tools.map((tool) => tool.name);
  const unusable = description.rejected.filter(
    ({ name }) => declared.includes(name) && !offered.includes(name),
  );
  const differing = compareNames(declared, offered);
  if (differing === undefined) return;
  const { missing, extra } = differing;
  const parts = [
    ...(missing.length === 0 ? [] : [`does not offer ${quoted(missing)}`]),
    ...(extra.length === 0 ? [] : [`offers ${quoted(extra)}, which its manifest does not name`]),
  ];
  throw new GumError("PLUGIN_TOOLS_MISMATCH", `The plugin "${plugin}" ${parts.join(" and ")}.`, {
    ...(unusable.length === 0
      ? {}
      : { hint: unusable.map(({ name, reason }) => `${name}: ${reason}`).join("; ") }),
    details: { missing, extra, rejected: description.rejected },
  });
}

const shownNames = 10;

function quoted(names: readonly string[]): string {
  const shown = names.slice(0, shownNames).map((name) => JSON.stringify(oneLine(name, 128)));
  const rest = names.length - shown.length;
  return rest === 0 ? shown.join(", ") : `${shown.join(", ")} and ${rest} more`;
}
