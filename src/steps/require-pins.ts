import { GumError } from "../base/errors.ts";
import type { ResolvedOp } from "../model/call.ts";
import type { Description } from "../model/session.ts";
import { requireDeclaredTools, toolDigest, toolsDigest } from "../wire/tool-digest.ts";

/** The description itself, when its tools are those of the manifest and are as they were pinned at install (T28). */
export function requirePins({ lock, pins }: ResolvedOp, description: Description): Description {
  requireDeclaredTools(
    lock.name,
    lock.plugin.tools.map(({ name }) => name),
    description,
  );
  if (lock.tools_sha256 === null || toolsDigest(description.tools) === lock.tools_sha256) return description;
  const changed = description.tools
    .filter((tool) => pins.get(tool.name) !== toolDigest(tool))
    .map(({ name }) => name);
  throw new GumError(
    "PLUGIN_TOOLS_DRIFT",
    `The plugin "${lock.name}" describes ${listed(changed)} differently from when it was installed.`,
    { details: { changed, expected_sha256: lock.tools_sha256 } },
  );
}

const shownNames = 5;

function listed(names: readonly string[]): string {
  if (names.length === 0) return "its tools";
  const shown = names
    .slice(0, shownNames)
    .map((name) => `"${name}"`)
    .join(", ");
  return names.length > shownNames ? `${shown} and ${names.length - shownNames} more` : shown;
}
