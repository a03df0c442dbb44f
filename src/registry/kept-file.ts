import { dirname } from "node:path/posix";
import { GumError } from "../base/errors.ts";
import { isRecord } from "../base/record.ts";
import type { Host } from "../host/host.ts";
import { type RegistryHome, registryIo } from "./folders.ts";

const lockBudgetMs = 10_000;
const maxBytes = 1 << 20;

/** What a change of a kept file leaves in it, and what it answers; without `text` the file stays as it is. */
export interface KeptChange<T> {
  readonly text?: string;
  readonly result: T;
}

/**
 * Changes a small private file that several processes share, one at a time. The file is its own lock. Text that a
 * crash cut short must read as "nothing known", which the change decides.
 */
export async function changeKeptFile<T>(
  host: Host,
  home: RegistryHome,
  path: string,
  change: (text: string) => KeptChange<T>,
): Promise<T> {
  return registryIo(home, "write a file beside", async () => {
    await host.files.mkdir(dirname(path), { mode: 0o700, recursive: true });
    const lock = await host.files.lock(path, { waitMs: lockBudgetMs });
    if (lock === undefined) {
      throw new GumError("REGISTRY_LOCKED", `Another process holds a file of profile "${home.name}".`, {
        retryable: true,
      });
    }
    try {
      const { text, result } = change(await host.files.readText(path, { maxBytes, noFollow: true }));
      if (text !== undefined) await lock.describe(text);
      return result;
    } finally {
      await lock.release();
    }
  });
}

/** The JSON object in a text; undefined for anything else. */
export function readKept(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
