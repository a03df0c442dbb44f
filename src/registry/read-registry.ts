// Apart from publishing, so that a command which only reads loads nothing of what writes.
import { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { Registry } from "../model/registry.ts";
import { debug, type RegistryHome, registryIo, warnOnce } from "./folders.ts";
import { type Generation, listGenerations, readCurrent, readGeneration } from "./generation-folders.ts";
import { emptyRegistry } from "./generation-text.ts";

const maxReadAttempts = 500;
/** How long a reader that met a first publish in the middle waits before it looks again. */
const readPauseMs = 5;

/**
 * The current registry: all three files from one generation, without a lock (R7). Empty when nothing is there. A file
 * that is not what gum wrote is used only when every field of it fits, and that is said once.
 */
export async function readRegistry(host: Host, home: RegistryHome): Promise<Registry> {
  const generation = await readCurrentGeneration(host, home);
  if (generation === undefined) return emptyRegistry();
  warnOfAltered(host, home, generation);
  debug(host, home, `generation ${generation.registry.state.install_generation} read`);
  return generation.registry;
}

/** Says once that files of a generation are not what gum wrote. */
export function warnOfAltered(host: Host, home: RegistryHome, { altered, registry }: Generation): void {
  if (altered.length === 0) return;
  const number = registry.state.install_generation;
  warnOnce(
    host,
    `generation ${number} of profile "${home.name}" is not as gum wrote it: ${altered.join(", ")}; run \`gum doctor\``,
  );
}

/** The generation that `readRegistry` reads; undefined when there is none. */
export async function readCurrentGeneration(host: Host, home: RegistryHome): Promise<Generation | undefined> {
  return registryIo(home, "read", async () => {
    for (let attempt = 0; attempt < maxReadAttempts; attempt++) {
      const current = await readCurrent(host.files, home);
      if (current !== undefined && current !== "dangling") {
        const generation = await readGeneration(host.files, home, current);
        if (generation !== undefined) return generation;
        // A generation that ages out while it is read is no damage: a newer one is current by then.
        const now = await readCurrent(host.files, home);
        if (now !== undefined && now !== "dangling" && now.folder !== current.folder) continue;
      } else if (current === undefined && (await listGenerations(host.files, home)).length === 0) {
        return undefined;
      }
      const { selectGeneration } = await import("./recover.ts");
      const selected = await selectGeneration(host, home);
      if (selected !== "busy") return selected;
      await host.clock.sleep(readPauseMs);
    }
    throw new GumError(
      "REGISTRY_IO",
      `The registry of profile "${home.name}" changes faster than it can be read.`,
    );
  });
}
