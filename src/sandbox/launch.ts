import { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import { buildImage, type Image } from "../host/native/elf.ts";
import { roomParents, withRoom } from "../host/native/room.ts";
import { type Facets, facetsOf, requireSandbox } from "./facets.ts";
import { factsSoFar, hopedFacts, type KernelFacts, kernelFacts } from "./kernel-facts.ts";
import { notPrepared } from "./launch-failure.ts";
import { makePlan } from "./plan.ts";
import type { Policy } from "./policy.ts";
import { liesWithin } from "./sensitive.ts";
import { type Program, startProgram, type Waiting, type Watched } from "./start-program.ts";

export interface LaunchOptions extends Waiting {
  /** What the kernel can do, where it is known already. */
  readonly facts?: KernelFacts | undefined;
}

/** A plugin that runs confined. */
export interface Confined extends Watched {
  /** What is enforced, and by what. */
  readonly facets: Facets;
  /** The version of Landlock that the plan was made for; the kernel's own may be newer. */
  readonly landlockAbi: number;
}

/** Starts the program in its sandbox; resolves once it runs, confined and proven so, and never runs it otherwise. */
export async function launch(
  host: Host,
  policy: Policy,
  program: Program,
  options: LaunchOptions = {},
): Promise<Confined> {
  const known = options.facts ?? (await factsSoFar(host));
  if (known !== undefined) return launchOn(known, host, policy, program, options);
  const hoped = hopedFacts(host);
  try {
    return await launchOn(hoped, host, policy, program, options);
  } catch (error) {
    if (!(error instanceof GumError && error.code === "PLUGIN_SANDBOX_UNSUPPORTED")) throw error;
    const facts = await kernelFacts(host);
    if (facts.landlockAbi >= hoped.landlockAbi && facts.seccomp) throw error;
    return launchOn(facts, host, policy, program, options);
  }
}

async function launchOn(
  facts: KernelFacts,
  host: Host,
  policy: Policy,
  program: Program,
  options: LaunchOptions,
): Promise<Confined> {
  requireSandbox(facts);
  // What the plugin may write would prove nothing when it is written.
  const parents = roomParents({ env: host.env, home: host.machine.home }).filter(
    (parent) => !policy.rules.some((rule) => rule.access === "write" && liesWithin(parent, rule.path)),
  );
  try {
    const watched = await withRoom(host.files, parents, async (folder) => {
      const image = imageFor(host, policy, program, facts);
      await host.files.writeNew(`${folder}/${attestation.file}`, "gum\n", { mode: 0o600 });
      return startProgram(host, image, program, { ...options, folder });
    });
    return { ...watched, facets: facetsOf(facts), landlockAbi: facts.landlockAbi };
  } catch (error) {
    throw notPrepared(error);
  }
}

/** Relative: the launched program begins in its private folder, so that images for the same plugin are the same. */
const attestation = { file: "attestation", socket: "listener" };

const images = new WeakMap<Policy, { readonly key: string; readonly image: Image }>();

/** The image for this launch; a plugin that is started again gets the one that it had. */
function imageFor(host: Host, policy: Policy, program: Program, { arch, landlockAbi }: KernelFacts): Image {
  if (arch === undefined) throw new TypeError("Cannot confine: the architecture is unknown");
  const { path, argv, cwd } = program;
  const started = { path, argv, cwd, byDescriptor: program.executable !== undefined };
  const { pid: parentPid, uid } = host.machine;
  const key = JSON.stringify([started, landlockAbi, parentPid]);
  const known = images.get(policy);
  if (known?.key === key) return known.image;
  const isRoot = uid === 0;
  const rows = makePlan({ policy, arch, landlockAbi, parentPid, isRoot, attestation, program: started });
  const image = buildImage(rows, arch);
  images.set(policy, { key, image });
  return image;
}
