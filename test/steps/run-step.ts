import type { Warning } from "../../src/base/errors.ts";
import { GumError } from "../../src/base/errors.ts";
import type { Host } from "../../src/host/host.ts";
import { parseManifest } from "../../src/manifest/read.ts";
import type { ManifestDocument } from "../../src/model/document.ts";
import type { InstallFlags } from "../../src/model/install.ts";
import type { Profile } from "../../src/model/profile.ts";
import type { PipelineState, StateKey } from "../../src/pipeline/state.ts";
import type { Step, StepTools } from "../../src/pipeline/step.ts";
import { createFakeHost } from "../fakes/fake-host.ts";

export interface StepRun<G extends StateKey> {
  readonly given: Pick<PipelineState, G>;
  readonly notes: readonly string[];
  readonly warnings: readonly Warning[];
  /** Runs the undos that the step registered, as a failing pipeline would. */
  undo(): Promise<void>;
  /** Runs the clean-ups, as every pipeline does at its end. */
  close(): Promise<void>;
}

/** Runs one step alone, with the keys that it needs and a fake world unless another is given. */
export async function runStep<N extends StateKey, G extends StateKey, W extends StateKey, A>(
  step: Step<N, G, W, A>,
  input: Pick<PipelineState, N> & Partial<Pick<PipelineState, W>>,
  options: { host?: Host; args?: A; signal?: AbortSignal; error?: GumError } = {},
): Promise<StepRun<G>> {
  const notes: string[] = [];
  const warnings: Warning[] = [];
  const rollback = new AsyncDisposableStack();
  const cleanup = new AsyncDisposableStack();
  const tools: StepTools = {
    host: options.host ?? createFakeHost(),
    signal: options.signal ?? new AbortController().signal,
    cleanup,
    rollback,
    run: { pipeline: "test", pipelineSha256: "0".repeat(64), steps: [], warnings, error: options.error },
    note: (text) => void notes.push(text),
    progress: () => undefined,
    warn: (warning) => void warnings.push(warning),
  };
  const given = await step.run(input, tools, options.args as A);
  return { given, notes, warnings, undo: () => rollback.disposeAsync(), close: () => cleanup.disposeAsync() };
}

/** The error that the work throws; it must be one that gum knows. */
export async function refusalOf(work: () => unknown): Promise<GumError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof GumError) return error;
    throw error;
  }
  throw new Error("Cannot refuse: nothing was thrown");
}

export const profile: Profile = {
  name: "default",
  isDev: false,
  requireSignatures: false,
  configDir: "/home/user/.config/gum/default",
  dataDir: "/home/user/.local/share/gum/default",
  cacheDir: "/home/user/.cache/gum/default",
  pluginsDir: "/home/user/.local/share/gum/default/plugins",
};

export const flags: InstallFlags = {
  yes: true,
  strict: false,
  devAllowNamespaceConflict: false,
  grants: { read: [], write: [], shm: false, capabilities: [] },
};

/** A manifest as the parser reads it. */
export function documentOf(value: unknown): Promise<ManifestDocument> {
  const bytes = new TextEncoder().encode(JSON.stringify(value, null, 2));
  return parseManifest({ name: "manifest.json", bytes });
}
