import type { Grants } from "./registry.ts";

/** Everything that either of the two grants, each once and in order. */
export function joinGrants(one: Grants, other: Grants): Grants {
  return {
    read: joined(one.read, other.read),
    write: joined(one.write, other.write),
    shm: one.shm || other.shm,
    capabilities: joined(one.capabilities, other.capabilities),
  };
}

/** What the first grants and the second does not. */
export function withoutGrants(from: Grants, less: Grants): Grants {
  return {
    read: from.read.filter((path) => !less.read.includes(path)),
    write: from.write.filter((path) => !less.write.includes(path)),
    shm: from.shm && !less.shm,
    capabilities: from.capabilities.filter((name) => !less.capabilities.includes(name)),
  };
}

/** What both of them grant. */
export function commonGrants(one: Grants, other: Grants): Grants {
  return withoutGrants(one, withoutGrants(one, other));
}

/** Whether nothing at all is granted. */
export function isNoGrant({ read, write, shm, capabilities }: Grants): boolean {
  return read.length + write.length + capabilities.length === 0 && !shm;
}

function joined(one: readonly string[], other: readonly string[]): string[] {
  return [...new Set([...one, ...other])].toSorted();
}
