import { fstatSync, readSync } from "node:fs";
import { isErrno } from "../base/errors.ts";
import type { Terminal } from "./host.ts";
import { writeErr, writeOut } from "./write-all.ts";

// What is only needed where a person sits is loaded there: node:tty costs 4 ms, node:readline 2, and touching
// `process.stdout` 6, all of it more than a whole `gum version`.

/** The terminal, or the pipes, that gum was started with. */
export function createTerminal(env: Readonly<Record<string, string | undefined>>): Terminal {
  const known = new Map<number, boolean>();
  const tty = (fd: number): boolean => {
    const answer = known.get(fd) ?? isTerminal(fd);
    known.set(fd, answer);
    return answer;
  };
  return {
    interactive: {
      get stdin() {
        return tty(0);
      },
      get stdout() {
        return tty(1);
      },
      get stderr() {
        return tty(2);
      },
    },
    get colour() {
      return !env.NO_COLOR && env.TERM !== "dumb" && tty(2);
    },
    get columns() {
      return tty(1) ? (process.stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
    },
    out: writeOut,
    err: writeErr,
    streams: () => ({ input: process.stdin, output: process.stdout }),
    readInput: async ({ maxBytes }) => readInput(maxBytes),
    ask,
    async askSecret(question, options = {}) {
      const { askSecret } = await import("./ask-secret.ts");
      return askSecret(question, writeErr, options.signal);
    },
  };
}

/** Pipes, files and /dev/null, which scripts use, are told apart from a terminal without loading anything. */
function isTerminal(fd: number): boolean {
  try {
    const facts = fstatSync(fd);
    const memoryDevices = 1;
    if (!facts.isCharacterDevice() || majorOf(facts.rdev) === memoryDevices) return false;
  } catch (error) {
    if (isErrno(error, "EBADF")) return false;
    throw error;
  }
  return process.getBuiltinModule("node:tty").isatty(fd);
}

function majorOf(device: number): number {
  return process.platform === "linux" ? (device >> 8) & 0xfff : -1;
}

function readInput(maxBytes: number): string {
  const blocks: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    const block = new Uint8Array(65_536);
    let count = 0;
    try {
      count = readSync(0, block, 0, block.length, null);
    } catch (error) {
      if (isErrno(error, "EOF")) break;
      if (!isErrno(error, "EAGAIN")) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      continue;
    }
    if (count === 0) break;
    total += count;
    if (total > maxBytes)
      throw Object.assign(new Error("EFBIG: standard input is too large"), { code: "EFBIG" });
    blocks.push(block.subarray(0, count));
  }
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(blocks, total));
}

async function ask(question: string, options: { signal?: AbortSignal } = {}): Promise<string | undefined> {
  const { signal } = options;
  writeErr(question);
  const { createInterface } = await import("node:readline");
  const reader = createInterface({ input: process.stdin, terminal: false });
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  const stop = (): void => reject(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  reader.once("line", resolve);
  reader.once("close", () => resolve(undefined));
  return promise.finally(() => {
    signal?.removeEventListener("abort", stop);
    reader.close();
    process.stdin.pause();
  });
}
