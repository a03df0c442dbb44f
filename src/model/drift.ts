// T31: how the tools of a running plugin differ from those that were pinned when it was installed, and how much that
// matters. Only changes that are all compatible may be accepted without a reinstall.
import { annotationChanges } from "./drift-annotations.ts";
import { schemaChanges } from "./drift-schemas.ts";
import { type DriftChange, type DriftClass, driftClasses, wordingChange } from "./drift-wording.ts";
import { findInstruction } from "./instructive-text.ts";
import type { ListedTool } from "./session.ts";

/** Every difference, in the order of the tools' names. */
export function findDrift(
  pinned: readonly ListedTool[],
  running: readonly ListedTool[],
  context: { readonly foreignTools: ReadonlySet<string> } = { foreignTools: new Set() },
): DriftChange[] {
  const before = new Map(pinned.map((tool) => [tool.name, tool]));
  const after = new Map(running.map((tool) => [tool.name, tool]));
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((tool) => {
    const [old, now] = [before.get(tool), after.get(tool)];
    if (old === undefined) return [addedTool(tool, now, context.foreignTools)];
    if (now === undefined)
      return [{ tool, path: "", class: "widening" as const, what: "is no longer offered" }];
    return toolChanges(old, now);
  });
}

/** The gravest class among the changes; undefined when there are none. */
export function gravestClass(changes: readonly DriftChange[]): DriftClass | undefined {
  return driftClasses.findLast((candidate) => changes.some((change) => change.class === candidate));
}

function addedTool(tool: string, now: ListedTool | undefined, foreign: ReadonlySet<string>): DriftChange {
  if (foreign.has(tool))
    return { tool, path: "", class: "hostile", what: "is new and has the name of another plugin's tool" };
  const order = findInstruction(now?.description ?? "");
  if (order !== undefined)
    return { tool, path: "", class: "hostile", what: `is new, and its description ${order}` };
  return { tool, path: "", class: "widening", what: "is new" };
}

function toolChanges(old: ListedTool, now: ListedTool): DriftChange[] {
  const tool = old.name;
  const found = [
    ...wordingChange("title", old.title, now.title),
    ...wordingChange("description", old.description, now.description),
    ...schemaChanges("inputSchema", old.inputSchema, now.inputSchema),
    ...schemaChanges("outputSchema", old.outputSchema, now.outputSchema),
    ...annotationChanges(old.annotations ?? {}, now.annotations ?? {}),
  ];
  return found.map((change) => ({ tool, ...change }));
}
