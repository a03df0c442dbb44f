import { PassThrough, pipeline, type Readable } from "node:stream";
import { GumError } from "../base/errors.ts";
import type { Child, Host, OpenFile, Pipe } from "../host/host.ts";
import { buildImage, type Image } from "../host/native/elf.ts";
import { roomParents, withRoom } from "../host/native/room.ts";
import { outcomesOf, startImage } from "../host/native/start.ts";
import type { Outcome } from "../host/native/status.ts";
import type { Plumbing } from "../model/session.ts";
import type { Environment } from "./environment.ts";
import { type Facets, facetsOf, requireSandbox } from "./facets.ts";
import { type KernelFacts, kernelFacts } from "./kernel-facts.ts";
import { launchFailure, startedTooSlowly, vanished } from "./launch-failure.ts";
import { makePlan, readyRow } from "./plan.ts";
import { descriptors } from "./plan-descriptors.ts";
import type { Policy } from "./policy.ts";
import { liesWithin } from "./sensitive.ts";

/** What is to run. */
export interface Program {
  /** An ELF file that was opened and hashed; exactly that file runs (T30). A script has none: its interpreter runs. */
  readonly executable: OpenFile | undefined;
  /** The program's path, or the interpreter's. */
  readonly path: string;
  /** The whole argument list, program first. */
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly cwd: string;
}

export interface LaunchOptions {
  /** What the kernel can do, where it is known already. */
  readonly facts?: KernelFacts | undefined;
  /** How long the start itself may take. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A plugin that runs confined. */
export interface Confined extends Plumbing {
  terminate(): void;
  /** What is enforced, and by what. */
  readonly facets: Facets;
  readonly landlockAbi: number;
}

const defaultTimeoutMs = 10_000;

/** Starts the program in its sandbox; resolves once it runs, confined and proven so, and never runs it otherwise. */
export async function launch(
  host: Host,
  policy: Policy,
  program: Program,
  options: LaunchOptions = {},
): Promise<Confined> {
  const facts = options.facts ?? (await kernelFacts(host));
  requireSandbox(facts);
  const parents = roomParents({ env: host.env, home: host.machine.home }).filter(
    (parent) => !policy.rules.some((rule) => rule.access === "write" && liesWithin(parent, rule.path)),
  );
  try {
    return await withRoom(host.files, parents, async (folder) => {
      const image = await prepareImage(host, { policy, program, facts, folder });
      const child = await startChild(host, image, program, folder);
      return confine(host, child, image, facts, options);
    });
  } catch (error) {
    if (error instanceof GumError || !isSystemError(error)) throw error;
    throw new GumError(
      "PLUGIN_SANDBOX_UNSUPPORTED",
      "The plugin was not started because no folder was found in which its sandbox can be prepared.",
      {
        cause: error,
        details: { cause: "sandbox_failed" },
        hint: "set TMPDIR to a folder that allows execution",
      },
    );
  }
}

interface Preparation {
  readonly policy: Policy;
  readonly program: Program;
  readonly facts: KernelFacts;
  readonly folder: string;
}

async function prepareImage(host: Host, { policy, program, facts, folder }: Preparation): Promise<Image> {
  const { arch, landlockAbi } = facts;
  if (arch === undefined) throw new TypeError("Cannot confine: the architecture is unknown");
  const attestation = { file: `${folder}/attestation`, socket: `${folder}/listener` };
  await host.files.writeNew(attestation.file, "gum\n", { mode: 0o600 });
  const { path, argv, cwd } = program;
  const rows = makePlan({
    policy,
    arch,
    landlockAbi,
    parentPid: host.machine.pid,
    attestation,
    program: { path, argv, cwd, byDescriptor: program.executable !== undefined },
  });
  return buildImage(rows, arch);
}

function startChild(host: Host, image: Image, program: Program, folder: string): Promise<Child> {
  // The environment may hold credentials: it is handed over in memory and never written into the image.
  const pipes = ["pipe", "pipe", "pipe", "pipe", "pipe"] as const;
  const stdio = program.executable === undefined ? pipes : ([...pipes, program.executable.fd] as const);
  return startImage(host, image, { folder, env: program.env, stdio });
}

async function confine(
  host: Host,
  child: Child,
  image: Image,
  facts: KernelFacts,
  { timeoutMs = defaultTimeoutMs, signal }: LaunchOptions,
): Promise<Confined> {
  const confined = confinedChild(child, facts);
  try {
    await confinedWithin(host, { child, image, timeoutMs, signal });
  } catch (error) {
    confined.end();
    for (const pipe of child.pipes) pipe?.destroy();
    throw error;
  }
  return confined;
}

interface Proof {
  readonly child: Child;
  readonly image: Image;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Resolves when the program runs; the status descriptor closes at that moment. */
async function confinedWithin(host: Host, { child, image, timeoutMs, signal }: Proof): Promise<void> {
  const settled = new AbortController();
  const stop = signal === undefined ? settled.signal : AbortSignal.any([settled.signal, signal]);
  const late = host.clock.sleep(timeoutMs, stop).then(() => {
    throw startedTooSlowly(timeoutMs);
  });
  try {
    const outcomes = await Promise.race([outcomesOf(child, image), late]);
    await judge(outcomes, child);
  } finally {
    settled.abort();
    late.catch(() => undefined); // it ended because the race was over
  }
}

async function judge(outcomes: readonly Outcome[], child: Child): Promise<void> {
  const last = outcomes.at(-1);
  if (last === undefined) throw vanished((await child.exited).signal);
  if (last.row.name !== readyRow) throw launchFailure(last);
}

function confinedChild(child: Child, facts: KernelFacts): Confined {
  const [stdin, stdout, stderr] = [pipeOf(child, 0), kept(pipeOf(child, 1)), kept(pipeOf(child, 2))];
  const lifeline = pipeOf(child, descriptors.lifeline);
  // A pipe breaks when the process ends, which `exited` tells.
  for (const pipe of [stdin, lifeline]) pipe.on("error", () => undefined);
  let running = true;
  const end = () => {
    // While the process runs, its group is surely its own; afterwards only the watchdog may say so.
    if (running) child.killGroup("SIGKILL");
    lifeline.destroy();
  };
  const exited = child.exited.then((exit) => {
    running = false;
    end();
    return exit;
  });
  return {
    pid: child.pid,
    stdin,
    stdout,
    stderr,
    exited,
    end,
    terminate() {
      if (running) child.killGroup("SIGTERM");
    },
    facets: facetsOf(facts),
    landlockAbi: facts.landlockAbi,
  };
}

/**
 * What a process prints before anybody listens. Runtimes throw away what nobody has begun to read when a process
 * ends, and a program may end before gum knows that it has begun.
 */
function kept(pipe: Pipe): Readable {
  const keeper = new PassThrough();
  pipeline(pipe, keeper, () => undefined); // how it ended is told by the keeper's own events
  return keeper;
}

function pipeOf(child: Child, descriptor: number): Pipe {
  const pipe = child.pipes[descriptor];
  if (pipe === undefined) throw new TypeError(`Cannot confine: descriptor ${descriptor} is no pipe`);
  return pipe;
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}
