import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Scratch } from "./scratch.ts";

export const noGrants = { read: [], write: [], shm: false, capabilities: [] };

/** Install flags that grant these capabilities. */
export const granting = (...capabilities: string[]) => ({ grants: { ...noGrants, capabilities } });

/** A copy of one of examples/ that the test may change. */
export function example(
  home: Scratch,
  name: string,
  change?: (manifest: Record<string, unknown>) => void,
): string {
  const copy = join(home.folder, `${name}-${Math.random().toString(36).slice(2, 8)}`);
  cpSync(join(import.meta.dir, "../../examples", name), copy, { recursive: true });
  const file = join(copy, "manifest.json");
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  change?.(manifest);
  writeFileSync(file, JSON.stringify(manifest));
  return copy;
}
