import { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import { buildImage } from "../host/native/elf.ts";
import { roomParents, withRoom } from "../host/native/room.ts";
import { rowArch } from "../host/native/run.ts";
import { notPrepared } from "./launch-failure.ts";
import { makeUnconfinedPlan } from "./plan.ts";
import { type Program, startProgram, type Waiting, type Watched } from "./start-program.ts";

/**
 * Starts the program with every right of the user, for dev profiles that ask for it by name (T21). It still has a
 * watchdog, only its own descriptors and exactly the environment that it was given.
 */
export async function launchUnconfined(
  host: Host,
  program: Program,
  options: Waiting = {},
): Promise<Watched> {
  const arch = rowArch(host.machine);
  if (arch === undefined) {
    throw new GumError(
      "PLUGIN_SANDBOX_UNSUPPORTED",
      "The plugin was not started because gum cannot watch over it on this operating system and processor.",
      { details: { cause: "sandbox_unsupported" } },
    );
  }
  const { path, argv, cwd } = program;
  const rows = makeUnconfinedPlan({
    parentPid: host.machine.pid,
    program: { path, argv, cwd, byDescriptor: program.executable !== undefined },
  });
  const parents = roomParents({ env: host.env, home: host.machine.home });
  try {
    return await withRoom(host.files, parents, (folder) =>
      startProgram(host, buildImage(rows, arch), program, { ...options, folder }),
    );
  } catch (error) {
    throw notPrepared(error);
  }
}
