/**
 * The descriptors of a process that is being confined. Everything above them is closed first, so that the kernel
 * hands out known numbers and rows need no variables.
 */
export const descriptors = {
  status: 3,
  lifeline: 4,
  executable: 5,
} as const;

/** The number that the next opened file gets. */
export function firstFree(hasExecutable: boolean): number {
  return hasExecutable ? descriptors.executable + 1 : descriptors.executable;
}
