import type { Child, Host } from "../host/host.ts";

export interface ProgramSpec {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Asked every now and then; "too large" ends the program. */
  readonly watch?: () => Promise<"too large" | undefined>;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ended: "by itself" | "too late" | "too large";
}

const mostBytes = 65_536;
const watchMs = 250;

/** Runs a program of the system to its end, keeping the last of what it says; its whole group ends with it. */
export async function runProgram(host: Host, spec: ProgramSpec): Promise<Finished> {
  spec.signal.throwIfAborted();
  const { file, args, env, cwd } = spec;
  const child = await host.processes.spawn({
    file,
    args,
    env,
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const done = new AbortController();
  const stop = (): void => void child.killGroup("SIGKILL");
  spec.signal.addEventListener("abort", stop, { once: true });
  const supervised = supervise(host, spec, stop, done.signal);
  try {
    const [stdout, stderr, exit] = await Promise.all([tailOf(child, 1), tailOf(child, 2), child.exited]);
    done.abort();
    const ended = await supervised;
    spec.signal.throwIfAborted();
    return { code: exit.code, stdout, stderr, ended };
  } finally {
    done.abort();
    spec.signal.removeEventListener("abort", stop);
    stop();
  }
}

/** Watches the time and whatever else is to be watched; tells how the program ended. */
async function supervise(
  host: Host,
  { timeoutMs, watch }: ProgramSpec,
  stop: () => void,
  done: AbortSignal,
): Promise<Finished["ended"]> {
  const deadline = host.clock.monotonic() + timeoutMs;
  const pause = async (ms: number): Promise<boolean> =>
    host.clock.sleep(ms, done).then(
      () => true,
      () => false, // the program has ended
    );
  for (;;) {
    const left = deadline - host.clock.monotonic();
    if (!(await pause(Math.max(0, Math.min(left, watch === undefined ? left : watchMs))))) return "by itself";
    const verdict = host.clock.monotonic() >= deadline ? "too late" : await watch?.();
    if (verdict !== undefined) {
      stop();
      return verdict;
    }
  }
}

async function tailOf(child: Child, descriptor: number): Promise<string> {
  const pipe = child.pipes[descriptor];
  let text = "";
  if (pipe === undefined) return text;
  const decoder = new TextDecoder();
  for await (const block of pipe) {
    text = (text + (typeof block === "string" ? block : decoder.decode(block, { stream: true }))).slice(
      -mostBytes,
    );
  }
  return text;
}
