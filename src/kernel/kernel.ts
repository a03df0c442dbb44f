import type { Host } from "../host/host.ts";
import type { ConfigValues } from "../model/config-keys.ts";
import type { Profile } from "../model/profile.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import type { Progress } from "../pipeline/run.ts";
import type { StepRecord } from "../pipeline/step.ts";

/** What every operation of gum runs with: the world, the profile, the pipelines, and how to be stopped. */
export interface Kernel {
  readonly host: Host;
  readonly profile: Profile;
  /** The profile's effective configuration. */
  readonly config: ConfigValues;
  readonly signal: AbortSignal;
  /** The operator's folder of edited pipelines. */
  readonly pipelinesDir: string | undefined;
  /** Pipelines that are loaded already, where a process runs them many times. */
  readonly loaded?: ((name: string) => Promise<Pipeline>) | undefined;
  /** Told as each pipeline step ends; `index` counts from 0. */
  readonly onStep?: ((record: StepRecord, index: number) => void) | undefined;
  /** Told while a step does slow work. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** What a front end says to get a kernel. Folder and profile fall back to the environment, then to the config. */
export interface KernelRequest {
  readonly host: Host;
  readonly signal: AbortSignal;
  readonly profileName?: string | undefined;
  readonly pipelinesDir?: string | undefined;
  readonly onStep?: Kernel["onStep"];
  readonly onProgress?: Kernel["onProgress"];
}
