import type { Arch } from "../host/native/numbers.ts";
import { words } from "../host/native/row.ts";
import { type RunPorts, rowArch, runRows } from "../host/native/run.ts";

/** What this kernel can enforce. */
export interface KernelFacts {
  /** Undefined where gum has no way to confine by itself. */
  readonly arch: Arch | undefined;
  /** The version of Landlock; 0 when it is absent or switched off. */
  readonly landlockAbi: number;
  readonly seccomp: boolean;
}

const askVersion = 1;
const askAction = 2;
const errnoAction = 0x00050000;

const asked = new WeakMap<object, Promise<KernelFacts>>();

/** Asks the kernel, once per host. */
export function kernelFacts(host: RunPorts): Promise<KernelFacts> {
  const known = asked.get(host);
  if (known !== undefined) return known;
  const answer = askKernel(host);
  asked.set(host, answer);
  return answer;
}

/** What this host's kernel said, if it was asked. */
export function factsSoFar(host: RunPorts): Promise<KernelFacts> | undefined {
  return asked.get(host);
}

/**
 * The least that gives every facet. A kernel that takes a plan made for this has it: Landlock refuses what it does
 * not know. So a launch need not ask first, which would take another process.
 */
export function hopedFacts({ machine }: Pick<RunPorts, "machine">): KernelFacts {
  return { arch: rowArch(machine), landlockAbi: 6, seccomp: true };
}

async function askKernel(host: RunPorts): Promise<KernelFacts> {
  const arch = rowArch(host.machine);
  if (arch === undefined) return { arch, landlockAbi: 0, seccomp: false };
  const { outcomes } = await runRows(host, [
    { name: "landlock", call: "landlock_create_ruleset", args: [0, 0, askVersion], expect: "report" },
    { name: "seccomp", call: "seccomp", args: [askAction, 0, words(errnoAction)], expect: "report" },
    { name: "end", call: "exit_group", args: [0], expect: "any" },
  ]);
  const resultOf = (name: string) => outcomes.find(({ row }) => row.name === name)?.result ?? -1;
  return { arch, landlockAbi: Math.max(0, resultOf("landlock")), seccomp: resultOf("seccomp") === 0 };
}
