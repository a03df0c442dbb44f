import type { Host, SpawnSpec } from "../host.ts";
import { buildImage } from "./elf.ts";
import { type Arch, knownArch } from "./numbers.ts";
import { roomParents, withRoom } from "./room.ts";
import type { Row } from "./row.ts";
import { outcomesOf, startImage } from "./start.ts";
import type { Outcome } from "./status.ts";

export type RunPorts = Pick<Host, "files" | "processes" | "env"> & {
  readonly machine: Pick<Host["machine"], "platform" | "arch" | "home">;
};

export interface RunOptions {
  /** Descriptors from 4 on; 0 to 2 lead nowhere and 3 carries the outcomes. */
  readonly descriptors?: SpawnSpec["stdio"];
  /** Ends the program when it fires. */
  readonly signal?: AbortSignal | undefined;
}

export interface Run {
  readonly outcomes: readonly Outcome[];
  /** Null when a signal ended the program. */
  readonly code: number | null;
}

/** Where gum can run rows: Linux on an architecture that it has a loop for. */
export function rowArch(machine: { readonly platform: string; readonly arch: string }): Arch | undefined {
  return machine.platform === "linux" ? knownArch(machine.arch) : undefined;
}

/** Runs rows for their own sake and answers with what they told. */
export async function runRows(ports: RunPorts, rows: readonly Row[], options: RunOptions = {}): Promise<Run> {
  const arch = rowArch(ports.machine);
  if (arch === undefined) throw new TypeError(`Cannot run rows on ${ports.machine.platform}`);
  const image = buildImage(rows, arch);
  const stdio = ["ignore", "ignore", "ignore", "pipe", ...(options.descriptors ?? [])] as const;
  const parents = roomParents({ env: ports.env, home: ports.machine.home });
  return withRoom(ports.files, parents, async (folder) => {
    const child = await startImage(ports, image, { folder, env: {}, stdio });
    const stop = () => child.kill("SIGKILL");
    if (options.signal?.aborted) stop();
    options.signal?.addEventListener("abort", stop, { once: true });
    try {
      const [outcomes, exit] = await Promise.all([outcomesOf(child, image), child.exited]);
      return { outcomes, code: exit.code };
    } finally {
      options.signal?.removeEventListener("abort", stop);
    }
  });
}
