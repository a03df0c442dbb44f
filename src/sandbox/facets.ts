// What each version of Landlock gives, together with the filter. The table in docs/sandbox.md is made from this.
import { GumError } from "../base/errors.ts";
import type { KernelFacts } from "./kernel-facts.ts";

export const facetNames = ["read", "write", "truncate", "network", "signals"] as const;
export type Facet = (typeof facetNames)[number];

/** By what a facet is enforced; `none` means that it is open. */
export type Enforcer = "landlock" | "seccomp" | "landlock+seccomp" | "none";

export type Facets = Readonly<Record<Facet, Enforcer>>;

/** The newest version of Landlock whose rights gum uses; newer kernels get the same. */
export const newestKnownAbi = 7;

/** What is enforced on this kernel. */
export function facetsOf({ landlockAbi: abi, seccomp, arch }: KernelFacts): Facets {
  const filter = seccomp && arch !== undefined;
  const files = abi >= 1 && arch !== undefined ? "landlock" : "none";
  return {
    read: files,
    write: files,
    truncate: abi >= 3 ? files : abi >= 1 && filter ? "seccomp" : "none",
    network: !filter ? "none" : abi >= 4 ? "landlock+seccomp" : "seccomp",
    signals: abi >= 6 && arch !== undefined ? "landlock" : "none",
  };
}

/** Facets without which nothing is started. */
const indispensable: readonly Facet[] = ["read", "write", "truncate", "network"];

/** Why plugins cannot be confined here, undefined when they can. */
export function reasonUnsupported(facts: KernelFacts): string | undefined {
  if (facts.arch === undefined) return "gum has no sandbox for this operating system and processor";
  if (facts.landlockAbi < 1) return "the kernel offers no Landlock";
  if (!facts.seccomp) return "the kernel offers no seccomp filters";
  const facets = facetsOf(facts);
  const open = indispensable.filter((facet) => facets[facet] === "none");
  return open.length === 0 ? undefined : `the kernel cannot enforce ${open.join(", ")}`;
}

/** Refuses a kernel that cannot enforce files or network (T21). */
export function requireSandbox(facts: KernelFacts): void {
  const reason = reasonUnsupported(facts);
  if (reason === undefined) return;
  throw new GumError("PLUGIN_SANDBOX_UNSUPPORTED", `The plugin was not started because ${reason}.`, {
    details: { cause: "sandbox_unsupported", landlock_abi: facts.landlockAbi, seccomp: facts.seccomp },
  });
}
