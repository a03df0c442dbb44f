import type { Grants } from "../model/registry.ts";
import type { FlagTable, FlagValues } from "./flags.ts";

/** Flags that name what an operator lets a plugin use beyond its manifest. */
export const grantFlags = {
  "allow-read": { kind: "text", value: "path", repeated: true, summary: "Let the plugin read this path." },
  "allow-write": {
    kind: "text",
    value: "path",
    repeated: true,
    summary: "Let the plugin write below this path.",
  },
  "allow-shm": { kind: "switch", summary: "Let the plugin use shared memory." },
} as const satisfies FlagTable;

/** The grants that flags and words name. */
export function namedGrants(flags: FlagValues<typeof grantFlags>, capabilities: readonly string[]): Grants {
  return {
    read: [...flags["allow-read"]],
    write: [...flags["allow-write"]],
    shm: flags["allow-shm"],
    capabilities: capabilityNames(capabilities),
  };
}

/** Names of capabilities, divided by commas, each once. */
export function capabilityNames(words: readonly string[]): string[] {
  const names = words.flatMap((word) => word.split(",")).map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== "").toSorted();
}

/** Whether anything is named at all. */
export function namesNothing({ read, write, shm, capabilities }: Grants): boolean {
  return read.length + write.length + capabilities.length === 0 && !shm;
}
