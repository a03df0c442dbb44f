import { GumError } from "../base/errors.ts";
import { verifyAudit } from "../registry/audit-verify.ts";
import { foldersOf, namesIn } from "../registry/folders.ts";
import { readCurrentGeneration } from "../registry/read-registry.ts";
import { recover } from "../registry/recover.ts";
import { facetNames, facetsOf, reasonUnsupported } from "../sandbox/facets.ts";
import { kernelFacts } from "../sandbox/kernel-facts.ts";
import type { Kernel } from "./kernel.ts";
import { lintPipelines } from "./pipelines.ts";

export const verdicts = ["ok", "note", "fault"] as const;

/** One thing that was looked at, and what to do about it. */
export interface Examined {
  readonly what: string;
  readonly verdict: (typeof verdicts)[number];
  readonly finding: string;
  readonly next?: string | undefined;
}

/** Looks at everything that gum relies on on this machine and in this profile; mends what a crash left behind. */
export async function examine(kernel: Kernel): Promise<Examined[]> {
  return [
    ...(await sandboxState(kernel)),
    await looked("registry", () => registryState(kernel)),
    await looked("left over", () => leftOvers(kernel)),
    await looked("audit log", () => auditState(kernel)),
    await looked("pipelines", () => pipelineState(kernel)),
  ];
}

/** A check that throws is itself a finding: the doctor never stops halfway. */
async function looked(what: string, look: () => Promise<Omit<Examined, "what">>): Promise<Examined> {
  try {
    return { what, ...(await look()) };
  } catch (error) {
    if (!(error instanceof GumError)) throw error;
    return { what, verdict: "fault", finding: `${error.code}: ${error.message}`, next: error.info.hint };
  }
}

async function sandboxState({ host }: Kernel): Promise<Examined[]> {
  const facts = await kernelFacts(host);
  const reason = reasonUnsupported(facts);
  const facets = facetsOf(facts);
  const landlock: Examined = {
    what: "sandbox",
    verdict: reason === undefined ? "ok" : "fault",
    finding: reason ?? `Landlock ABI ${facts.landlockAbi}, seccomp, watchdog`,
    next:
      reason === undefined
        ? undefined
        : "use a Linux kernel of 5.19 or newer that was started with Landlock; see `gum help sandbox`",
  };
  const each = facetNames.map((facet): Examined => {
    const by = facets[facet];
    return {
      what: `sandbox: ${facet}`,
      verdict: by === "none" ? "note" : "ok",
      finding: by === "none" ? "not enforced on this kernel" : `enforced by ${by}`,
      next: by === "none" ? "see `gum help sandbox` for what each kernel offers" : undefined,
    };
  });
  return [landlock, ...each];
}

async function registryState({ host, profile }: Kernel): Promise<Omit<Examined, "what">> {
  const { selected, moved } = await recover(host, profile);
  const generation = await readCurrentGeneration(host, profile);
  const lock = generation?.registry.lock;
  const found = `generation ${lock?.install_generation ?? 0} with ${lock?.plugins.length ?? 0} plugins`;
  if (generation !== undefined && generation.altered.length > 0) {
    return {
      verdict: "fault",
      finding: `${found} is not as gum wrote it: ${generation.altered.join(", ")}`,
      next: "go back with `gum plugin rollback`, or install the plugins again that you do not recognise",
    };
  }
  if (selected !== null)
    return {
      verdict: "note",
      finding: `mended: ${found} was selected, ${moved.length} orphans were moved away`,
    };
  if (moved.length > 0)
    return { verdict: "note", finding: `${found}; ${moved.length} orphans were moved away` };
  return { verdict: "ok", finding: found };
}

async function leftOvers({ host, profile }: Kernel): Promise<Omit<Examined, "what">> {
  const folder = foldersOf(profile).quarantine;
  const names = await namesIn(host.files, folder);
  if (names.length === 0) return { verdict: "ok", finding: "nothing" };
  return {
    verdict: "note",
    finding: `${names.length} folders of interrupted work`,
    next: `look into ${folder}, then remove what you do not need`,
  };
}

async function auditState({ host, profile }: Kernel): Promise<Omit<Examined, "what">> {
  const { rows } = await verifyAudit(host, profile);
  return { verdict: "ok", finding: `${rows} rows, chain unbroken` };
}

async function pipelineState(kernel: Kernel): Promise<Omit<Examined, "what">> {
  const { findings, checked } = await lintPipelines(kernel, undefined);
  if (findings.length > 0) {
    return {
      verdict: "fault",
      finding: `${findings.length} faults in edited pipelines`,
      next: "run `gum pipeline lint`",
    };
  }
  const whose = kernel.pipelinesDir === undefined ? "as shipped" : `with edits from ${kernel.pipelinesDir}`;
  return { verdict: "ok", finding: `${checked} pipelines, ${whose}` };
}
