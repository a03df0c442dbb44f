import type { Readable } from "node:stream";
import type { Host } from "../host/host.ts";
import { stripUnsafe } from "../model/safe-text.ts";
import type { Environment } from "../sandbox/environment.ts";
import { launch } from "../sandbox/launch.ts";
import type { Policy } from "../sandbox/policy.ts";
import { buildLimits } from "../source/limits.ts";

export interface ConfinedCommand {
  readonly argv: readonly [string, ...string[]];
  readonly env: Environment;
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

export interface ConfinedEnd {
  readonly code: number | null;
  readonly late: boolean;
  /** The last lines of both streams. */
  readonly lines: readonly string[];
}

/** Runs one command in its sandbox to its end; whatever it started ends with it. */
export async function runConfined(
  host: Host,
  policy: Policy,
  command: ConfinedCommand,
): Promise<ConfinedEnd> {
  const { argv, env, cwd, signal } = command;
  const confined = await launch(
    host,
    policy,
    { executable: undefined, path: argv[0], argv, env, cwd },
    { signal },
  );
  const ended = new AbortController();
  let late = false;
  const stop = (): void => confined.end();
  signal.addEventListener("abort", stop, { once: true });
  const watch = host.clock.sleep(command.timeoutMs, ended.signal).then(
    () => {
      late = true;
      confined.end();
    },
    () => undefined, // it ended in time
  );
  try {
    confined.stdin.end();
    const tail = new Tail();
    const [exit] = await Promise.all([
      confined.exited,
      tail.take(confined.stdout),
      tail.take(confined.stderr),
    ]);
    signal.throwIfAborted();
    return { code: exit.code, late, lines: tail.lines() };
  } finally {
    signal.removeEventListener("abort", stop);
    ended.abort();
    await watch;
    confined.end();
  }
}

/** The last of what a program says, safe to print. */
class Tail {
  #text = "";

  async take(stream: Readable): Promise<void> {
    const decoder = new TextDecoder();
    for await (const block of stream) {
      const text = typeof block === "string" ? block : decoder.decode(block, { stream: true });
      this.#text = (this.#text + text).slice(-buildLimits.outputBytes);
    }
  }

  lines(): string[] {
    const lines = stripUnsafe(this.#text).split("\n");
    return lines
      .map((line) => line.trimEnd())
      .filter((line) => line !== "")
      .slice(-buildLimits.outputLines);
  }
}
