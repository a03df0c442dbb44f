import type { Warning } from "../base/errors.ts";
import type { Description } from "../model/session.ts";
import type { WrappedTool } from "./wrap/wrapped-manifest.ts";

/** What `gum plugin wrap` made. */
export interface WrapAnswer {
  readonly ok: true;
  readonly plugin: string;
  readonly version: string;
  readonly owner: string;
  readonly kind: "npm" | "python" | "file";
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
  readonly network: boolean;
  /** What the manifest asks for; asking grants nothing. */
  readonly requests: {
    readonly read: readonly string[];
    readonly write: readonly string[];
    readonly shm: boolean;
  };
  readonly tools: readonly WrappedTool[];
  /** Tools that cannot be called, with the reason. */
  readonly left_out: Description["rejected"];
  /** False when it could not be started, and its tools are what the user said. */
  readonly started: boolean;
  readonly warnings: readonly Warning[];
  /** The command that installs it with the grants that it was tried with. */
  readonly install_command: string;
}
