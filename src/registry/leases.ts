// A running server keeps what its snapshot needs from being collected: it holds a locked file that names it.
import { join } from "node:path/posix";
import { GumError, isErrno } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { GenerationReferences } from "../model/generation.ts";
import { foldersOf, makeFolders, namesIn, type RegistryHome, registryIo } from "./folders.ts";

export interface Lease {
  /** Narrows the lease, which begins by covering everything, to what the snapshot needs. */
  hold(needed: GenerationReferences): Promise<void>;
  release(): Promise<void>;
}

/** What running servers need; "everything" while one of them has not said yet. */
export interface Leased {
  readonly everything: boolean;
  readonly roots: ReadonlySet<string>;
  readonly schemas: ReadonlySet<string>;
}

const attempts = 10;
const leaseBudgetMs = 10_000;

/** Takes a lease on everything. Take it first, read the registry then, and narrow it last: so no gap is left. */
export async function takeLease(host: Host, home: RegistryHome): Promise<Lease> {
  return registryIo(home, "write", async () => {
    await makeFolders(host.files, home);
    for (let attempt = 0; attempt < attempts; attempt++) {
      const path = join(foldersOf(home).leases, `${host.machine.pid}-${host.randomHex(8)}.lease`);
      const lock = await host.files.lock(path, { waitMs: leaseBudgetMs });
      // Somebody who cleans up may have seen the file before it was locked, and removed it.
      if (lock !== undefined && (await host.files.exists(path))) {
        return {
          hold: (needed) => lock.describe(`${JSON.stringify(needed)}\n`),
          async release() {
            await host.files.removeTree(path);
            await lock.release();
          },
        };
      }
      await lock?.release();
    }
    throw new GumError("REGISTRY_LOCKED", `Cannot take a lease on the registry of profile "${home.name}".`);
  });
}

/** Reads all leases and removes those whose holder is gone. */
export async function readLeases(host: Host, home: RegistryHome): Promise<Leased> {
  const { leases } = foldersOf(home);
  const roots = new Set<string>();
  const schemas = new Set<string>();
  let everything = false;
  for (const name of await namesIn(host.files, leases)) {
    const path = join(leases, name);
    const lock = await host.files.lock(path, { waitMs: 0 });
    if (lock !== undefined) {
      await host.files.removeTree(path);
      await lock.release();
      continue;
    }
    const held = await readLease(host, path);
    everything ||= held === undefined;
    for (const root of held?.roots ?? []) roots.add(root);
    for (const schema of held?.schemas ?? []) schemas.add(schema);
  }
  return { everything, roots, schemas };
}

async function readLease(host: Host, path: string): Promise<GenerationReferences | undefined> {
  try {
    const value: unknown = JSON.parse(await host.files.readText(path));
    if (typeof value !== "object" || value === null) return undefined;
    const roots: unknown = Reflect.get(value, "roots");
    const schemas: unknown = Reflect.get(value, "schemas");
    return isTexts(roots) && isTexts(schemas) ? { roots, schemas } : undefined;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return { roots: [], schemas: [] };
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
