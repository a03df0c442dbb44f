import { PassThrough, pipeline, type Readable } from "node:stream";
import type { Child, Host, OpenFile, Pipe } from "../host/host.ts";
import type { Image } from "../host/native/elf.ts";
import { outcomesOf, startImage } from "../host/native/start.ts";
import type { Outcome } from "../host/native/status.ts";
import type { Plumbing } from "../model/session.ts";
import type { Environment } from "./environment.ts";
import { launchFailure, startedTooSlowly, vanished } from "./launch-failure.ts";
import { readyRow } from "./plan.ts";
import { descriptors } from "./plan-descriptors.ts";

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

/** A program that runs under its watchdog. */
export interface Watched extends Plumbing {
  terminate(): void;
}

export interface Waiting {
  /** How long the start itself may take. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const defaultTimeoutMs = 10_000;

/** Starts the image, which becomes the program; resolves once it has, and leaves nothing behind when it does not. */
export async function startProgram(
  host: Host,
  image: Image,
  program: Program,
  { folder, timeoutMs = defaultTimeoutMs, signal }: Waiting & { readonly folder: string },
): Promise<Watched> {
  const pipes = ["pipe", "pipe", "pipe", "pipe", "pipe"] as const;
  const stdio = program.executable === undefined ? pipes : ([...pipes, program.executable.fd] as const);
  // The environment may hold credentials: it is handed over in memory and never written into the image.
  const child = await startImage(host, image, { folder, env: program.env, stdio });
  const watched = watchedChild(child);
  try {
    await becomesProgram(host, { child, image, timeoutMs, signal });
    return watched;
  } catch (error) {
    watched.end();
    for (const pipe of child.pipes) pipe?.destroy();
    throw error;
  }
}

interface Becoming {
  readonly child: Child;
  readonly image: Image;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Resolves when the program runs; the status descriptor closes at that moment. */
async function becomesProgram(host: Host, { child, image, timeoutMs, signal }: Becoming): Promise<void> {
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

/** The last thing told must be that every row had its result: the end of the status alone could be a crash. */
async function judge(outcomes: readonly Outcome[], child: Child): Promise<void> {
  const last = outcomes.at(-1);
  if (last === undefined) throw vanished((await child.exited).signal);
  if (last.row.name !== readyRow) throw launchFailure(last);
}

function watchedChild(child: Child): Watched {
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
  const terminate = () => {
    if (running) child.killGroup("SIGTERM");
  };
  return { pid: child.pid, stdin, stdout, stderr, exited, end, terminate };
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
  if (pipe === undefined) throw new TypeError(`Cannot start a program: descriptor ${descriptor} is no pipe`);
  return pipe;
}
