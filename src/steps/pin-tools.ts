import { GumError } from "../base/errors.ts";
import { gravestClass } from "../model/drift.ts";
import type { DriftChange } from "../model/drift-wording.ts";
import type { LockRow } from "../model/registry.ts";
import type { PinOutcome } from "../model/trial.ts";
import { defineStep } from "../pipeline/step.ts";
import { readRegistry } from "../registry/read-registry.ts";
import { requireDeclaredTools, toolsDigest } from "../wire/tool-digest.ts";
import { driftOf, readPinnedTools } from "./pins.ts";
import { toolCount } from "./trial.ts";

/** Compares the listed tools with the pinned ones; what differs is refused unless it is compatible and accepted. */
export const pinTools = defineStep({
  name: "pin-tools",
  summary: "Compare the listed tools with those that were pinned at install.",
  needs: ["installed", "profile", "trial", "trialRequest"],
  gives: ["pinOutcome"],
  codes: ["PLUGIN_TOOLS_DRIFT", "PLUGIN_TOOLS_MISMATCH", "REGISTRY_IO"],
  async run(
    { installed, profile, trial, trialRequest },
    { host, note },
  ): Promise<{ pinOutcome: PinOutcome }> {
    const { tools } = trial.description;
    const declared = installed.plugin.tools.map(({ name }) => name);
    if (installed.tools_sha256 === null) {
      requireDeclaredTools(installed.name, declared, trial.description);
      note(`${toolCount(tools)} pinned for the first time`);
      return { pinOutcome: { kind: "first", changes: [] } };
    }
    if (toolsDigest(tools) === installed.tools_sha256) {
      note(`${toolCount(tools)} as pinned`);
      return { pinOutcome: { kind: "same", changes: [] } };
    }
    const pinned = await readPinnedTools(host, profile, installed);
    const registry = await readRegistry(host, profile);
    const changes = pinned === undefined ? [] : driftOf(registry, installed.name, pinned, tools);
    if (!trialRequest.acceptDrift || gravestClass(changes) !== "compatible") {
      throw driftError(installed, changes, trialRequest.acceptDrift);
    }
    requireDeclaredTools(installed.name, declared, trial.description);
    note(`${changes.length} compatible ${changes.length === 1 ? "change" : "changes"} accepted`);
    return { pinOutcome: { kind: "accepted", changes } };
  },
});

function driftError({ name }: LockRow, changes: readonly DriftChange[], wanted: boolean): GumError {
  const worst = gravestClass(changes);
  const [first] = changes.filter((change) => change.class === worst);
  const where = first === undefined ? "" : `: ${first.path === "" ? "" : `${first.path} of `}"${first.tool}"`;
  const why = first === undefined ? "" : `${where} ${first.what} (${first.class})`;
  return new GumError(
    "PLUGIN_TOOLS_DRIFT",
    `The plugin "${name}" lists other tools than those that were pinned${why}.`,
    {
      hint: hintFor(name, worst, wanted),
      details: { class: worst ?? null, changes },
    },
  );
}

function hintFor(name: string, worst: string | undefined, wanted: boolean): string {
  const see = `see \`gum plugin diff ${name}\``;
  if (worst === "compatible") return `${see}, then \`gum plugin reload ${name} --accept-drift\``;
  return wanted
    ? `${see}; only compatible changes can be accepted, others need a new install`
    : `${see}, and install the plugin again only if you trust the change`;
}
