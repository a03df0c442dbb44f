import { fstatSync, readSync, writeSync } from "node:fs";
import { isErrno } from "../base/errors.ts";
import type { Terminal } from "./host.ts";

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
    out: (text) => writeAll(1, text),
    err: (text) => writeAll(2, text),
    streams: () => ({ input: process.stdin, output: process.stdout }),
    readInput: async ({ maxBytes }) => readInput(maxBytes),
    ask,
    async askSecret(question, options = {}) {
      const { askSecret } = await import("./ask-secret.ts");
      return askSecret(question, (text) => writeAll(2, text), options.signal);
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

function writeAll(fd: number, text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(fd, bytes, done, bytes.length - done);
    } catch (error) {
      if (isErrno(error, "EPIPE")) return; // the reader has gone: nothing is left to tell
      if (!isErrno(error, "EAGAIN")) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1); // a slow reader of a non-blocking pipe
    }
  }
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
  writeAll(2, question);
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
