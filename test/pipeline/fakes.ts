// A small pipeline with invented steps, so that these tests say what the loader and the interpreter do and nothing
// about plugins. The keys are real ones, because the state type is closed; their values are not looked at.
import * as v from "valibot";
import { GumError } from "../../src/base/errors.ts";
import { loadPipeline, type PipelineTexts, type Rules } from "../../src/pipeline/load.ts";
import type { Pipeline } from "../../src/pipeline/pipeline.ts";
import { readPipelineFile } from "../../src/pipeline/read.ts";
import type { PipelineState, StateKey } from "../../src/pipeline/state.ts";
import type { AnyStep, StepTools } from "../../src/pipeline/step.ts";

export const fakeText = `pipeline: install
version: 1
summary: Three steps between two.
input: { profile: profile, source: source }
steps:
  - step: read
  - step: gate
  - step: trial
    with: { mode: live }
    on_error: [ { code: CANARY_FAILED, then: quarantine } ]
  - step: publish
  - step: log
    always: true
`;

type Run = (input: Partial<PipelineState>, tools: StepTools, args: unknown) => unknown;

/** A step that gives its keys and does what `run` says. */
export function fakeStep(
  name: string,
  parts: Partial<Omit<AnyStep, "run" | "name">> & { run?: Run } = {},
): AnyStep {
  const gives = parts.gives ?? [];
  return {
    summary: `The step ${name}.`,
    needs: [],
    codes: [],
    ...parts,
    name,
    gives,
    run: async (input: Partial<PipelineState>, tools: StepTools, args: unknown) => {
      const said = await parts.run?.(input, tools, args);
      return (said ?? valuesOf(name, gives)) as Partial<PipelineState>;
    },
  } as AnyStep;
}

/** `{ document: "read:document" }`: every key with a value that tells who gave it. */
export function valuesOf(name: string, keys: readonly StateKey[]): Partial<PipelineState> {
  return Object.fromEntries(keys.map((key) => [key, `${name}:${key}`])) as Partial<PipelineState>;
}

export const fakeRules: Rules = {
  steps: {
    read: fakeStep("read", { needs: ["source"], gives: ["document"], codes: ["PLUGIN_MANIFEST_INVALID"] }),
    gate: fakeStep("gate", { needs: ["document"], gives: ["shapeAllowed"] }),
    trial: fakeStep("trial", {
      needs: ["shapeAllowed"],
      gives: ["canaryReport"],
      codes: ["CANARY_FAILED", "SERVICE_DOWN"],
      args: v.strictObject({
        mode: v.optional(v.picklist(["live", "skip"]), "live"),
        timeout_ms: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(60_000)), 10_000),
      }),
      quarantine: () => valuesOf("quarantine", ["canaryReport"]),
    }),
    publish: fakeStep("publish", { needs: ["canaryReport"], gives: ["generation"] }),
    log: fakeStep("log", { always: true, wants: ["generation"] }),
    "max-size": fakeStep("max-size", { needs: ["document"], optional: true, codes: ["POLICY_DENIED"] }),
    "scan-text": fakeStep("scan-text", {
      needs: ["document"],
      gives: ["safeText"],
      optional: true,
      otherwise: () => valuesOf("otherwise", ["safeText"]),
    }),
    collect: fakeStep("collect"),
  },
  predicates: {
    "is-dev": {
      summary: "on a dev profile",
      needs: ["profile"],
      test: ({ profile }) => profile?.isDev === true,
    },
    "has-plugin": {
      summary: "a plugin was read",
      needs: ["plugin"],
      test: ({ plugin }) => plugin !== undefined,
    },
  },
  contracts: {
    install: {
      input: { profile: "profile", source: "source" },
      gives: ["generation"],
      order: [["gate", "max-size"]],
      last: "publish",
    },
    validate: { input: { profile: "profile", source: "source" }, gives: [], order: [] },
  },
};

/** Texts by name, all shipped unless `edited` holds another one. */
export function textsOf(
  shipped: Record<string, string>,
  edited: Readonly<Record<string, string>> = {},
): PipelineTexts {
  return {
    find(name) {
      const text = edited[name] ?? shipped[name];
      return text === undefined ? undefined : { file: `${name}.yaml`, text, edited: name in edited };
    },
    shipped: (name) => shipped[name],
    read: readPipelineFile,
  };
}

/** Loads an edited copy of the small pipeline. */
export function loadEdited(text: string, rules: Rules = fakeRules): Pipeline {
  return loadPipeline("install", textsOf({ install: fakeText }, { install: text }), rules);
}

/** Every fault of an edited copy as `line:column: message`; none when it loads. */
export function faultsOf(text: string, rules: Rules = fakeRules): string[] {
  try {
    loadEdited(text, rules);
    return [];
  } catch (error) {
    if (!(error instanceof GumError) || error.code !== "PIPELINE_INVALID") throw error;
    return findingsOf(error);
  }
}

/** The findings of a refusal as `line:column: message`. */
export function findingsOf(error: GumError): string[] {
  const parsed = v.parse(
    v.array(
      v.object({
        code: v.literal("PIPELINE_INVALID"),
        message: v.string(),
        at: v.optional(v.object({ file: v.string(), line: v.number(), column: v.number() })),
      }),
    ),
    error.info.details?.findings,
  );
  return parsed.map(({ message, at }) =>
    at === undefined ? message : `${at.line}:${at.column}: ${message}`,
  );
}
