import { asGumError } from "../base/errors.ts";
import type { GumServer } from "./server.ts";

const everyMs = 1000;

/** Tells when other operations may be called, or when the inventory is another one; until the server ends. */
export async function watchRegistry(
  server: GumServer,
  onChange: (change: { readonly operations: boolean }) => void,
): Promise<void> {
  const { clock, log } = server.kernel.host;
  let seen = await server.catalog();
  let now = (await server.current()).registry;
  while (!server.life.aborted) {
    try {
      await clock.sleep(everyMs, server.life);
      const { registry } = await server.current();
      if (registry === now) continue;
      now = registry;
      const catalog = await server.catalog();
      const operations = catalog.index !== seen.index;
      seen = catalog;
      onChange({ operations });
    } catch (error) {
      if (!server.life.aborted) log.warn(`the registry cannot be watched: ${asGumError(error).message}`);
    }
  }
}
