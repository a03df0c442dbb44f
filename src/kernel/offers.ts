// What plugins offer beside tools. Only a running plugin knows, so it is asked once for each install and the answer is
// kept in the cache folder: listing prompts must not start every plugin at every start of a server.
import { join } from "node:path/posix";
import * as v from "valibot";
import { sha256 } from "../base/digest.ts";
import { asGumError, isErrno } from "../base/errors.ts";
import type { Offer } from "../model/question.ts";
import type { LockRow } from "../model/registry.ts";
import type { GumServer, ServerClient } from "./server.ts";

const OfferModel = v.object({
  prompts: v.array(v.unknown()),
  resources: v.array(v.unknown()),
  templates: v.array(v.unknown()),
});

const nothing: Offer = { prompts: [], resources: [], templates: [] };
const atOnce = 4;
const maxBytes = 4 << 20;
/** A plugin that does not say in this time what it offers is left out of a list, and asked again for the next one. */
const patienceMs = 15_000;

export interface Offers {
  /** What every active plugin offers, by name; those that cannot be asked are left out. */
  all(client: ServerClient): Promise<ReadonlyMap<string, Offer>>;
  /** Asks the plugin again when it is next needed. */
  forget(plugin: string): Promise<void>;
}

/** The offers of a server's plugins. */
export function openOffers(server: GumServer): Offers {
  const { host, profile } = server.kernel;
  const known = new Map<string, Promise<Offer | undefined>>();
  const folder = join(profile.cacheDir, "offers");

  const ask = async (client: ServerClient, row: LockRow, path: string): Promise<Offer | undefined> => {
    try {
      const question = { plugin: row.name, asks: { method: "offer" } } as const;
      const offer = v.parse(OfferModel, await client.ask(question, AbortSignal.timeout(patienceMs)));
      const text = JSON.stringify(offer);
      if (text.length > maxBytes) return nothing;
      await keep(server, folder, path, text);
      return offer;
    } catch (error) {
      host.log.warn(
        `the prompts and resources of ${row.name} cannot be listed: ${asGumError(error).message}`,
      );
      known.delete(path);
      return undefined;
    }
  };
  const one = (client: ServerClient, row: LockRow): Promise<Offer | undefined> => {
    const path = offerPath(folder, row);
    const answer =
      known.get(path) ?? readOffer(server, path).then((offer) => offer ?? ask(client, row, path));
    known.set(path, answer);
    return answer;
  };
  return {
    async all(client) {
      const { registry, statusOf } = await server.catalog();
      const rows = registry.lock.plugins.filter((row) => statusOf(row.name) === "active" && speaksMcp(row));
      const found = new Map<string, Offer>();
      let next = 0;
      const work = async (): Promise<void> => {
        for (let row = rows[next++]; row !== undefined; row = rows[next++]) {
          const offer = await one(client, row);
          if (offer !== undefined) found.set(row.name, offer);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
    },
    async forget(plugin) {
      const { registry } = await server.catalog();
      for (const row of registry.lock.plugins.filter(({ name }) => name === plugin)) {
        const path = offerPath(folder, row);
        known.delete(path);
        await host.files.removeTree(path);
      }
    },
  };
}

function speaksMcp({ plugin }: LockRow): boolean {
  return plugin.shape === "mcp-plugin" || plugin.shape === "esm-plugin";
}

function offerPath(folder: string, { name, install_root, install_tree_sha256 }: LockRow): string {
  return join(folder, `${name}-${sha256(`${install_root}\0${install_tree_sha256}`).slice(0, 16)}.json`);
}

async function readOffer({ kernel }: GumServer, path: string): Promise<Offer | undefined> {
  try {
    const text = await kernel.host.files.readText(path, { maxBytes, noFollow: true });
    return v.parse(OfferModel, JSON.parse(text));
  } catch (error) {
    const unusable =
      error instanceof SyntaxError || error instanceof TypeError || error instanceof v.ValiError;
    if (unusable || isErrno(error, "ENOENT", "ENOTDIR", "EFBIG", "ELOOP", "EACCES")) return undefined;
    throw error;
  }
}

/** A cache that cannot be written costs time alone. */
async function keep({ kernel }: GumServer, folder: string, path: string, text: string): Promise<void> {
  const { files, log } = kernel.host;
  try {
    await files.mkdir(folder, { mode: 0o700, recursive: true });
    await files.replace(path, text, { mode: 0o600 });
  } catch (error) {
    if (!isErrno(error, "EACCES", "EPERM", "EROFS", "ENOSPC", "ENOTDIR", "EIO")) throw error;
    log.debug(`the offer of a plugin is not kept: ${asGumError(error).message}`);
  }
}
