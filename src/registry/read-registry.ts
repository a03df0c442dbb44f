// Apart from publishing, so that a command which only reads loads nothing of what writes.
import { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { Registry } from "../model/registry.ts";
import { type RegistryHome, registryIo } from "./folders.ts";
import { listGenerations, readCurrent, readGeneration } from "./generation-folders.ts";
import { emptyRegistry } from "./generation-text.ts";

const maxReadAttempts = 500;
/** How long a reader that met a first publish in the middle waits before it looks again. */
const readPauseMs = 5;

/** The current registry: all three files from one generation, without a lock (R7). Empty when nothing is there. */
export async function readRegistry(host: Host, home: RegistryHome): Promise<Registry> {
  return registryIo(home, "read", async () => {
    for (let attempt = 0; attempt < maxReadAttempts; attempt++) {
      const current = await readCurrent(host.files, home);
      if (current !== undefined && current !== "dangling") {
        const generation = await readGeneration(host.files, home, current);
        if (generation !== undefined) return generation.registry;
        // A generation that ages out while it is read is no damage: a newer one is current by then.
        const now = await readCurrent(host.files, home);
        if (now !== undefined && now !== "dangling" && now.folder !== current.folder) continue;
      } else if (current === undefined && (await listGenerations(host.files, home)).length === 0) {
        return emptyRegistry();
      }
      const { selectGeneration } = await import("./recover.ts");
      const selected = await selectGeneration(host, home);
      if (selected !== "busy") return selected?.registry ?? emptyRegistry();
      await host.clock.sleep(readPauseMs);
    }
    throw new GumError(
      "REGISTRY_IO",
      `The registry of profile "${home.name}" changes faster than it can be read.`,
    );
  });
}
