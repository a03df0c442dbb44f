// `gum mcp --stdio` as a real process, spoken to by hand.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Scratch } from "../kernel/scratch.ts";

const main = resolve(import.meta.dir, "../../src/main.ts");

export interface ServerProcess extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Every line of stdout so far. */
  readonly lines: string[];
  readonly stderr: () => string;
  /** The exit code, or the signal's name. */
  readonly exited: Promise<number | string>;
  send(message: unknown): void;
  write(text: string | Uint8Array): void;
  /** Sends a request and waits for its answer. */
  ask(method: string, params?: unknown): Promise<Record<string, unknown>>;
  initialize(): Promise<void>;
}

/** Starts the server in the scratch home; it is killed when the test is over. */
export function startServer(
  home: Scratch,
  flags: readonly string[] = ["--stdio"],
  { deadlineMs = 60_000 }: { deadlineMs?: number } = {},
): ServerProcess {
  const env = { HOME: home.host.machine.home, PATH: process.env.PATH ?? "" };
  const child = spawn(process.execPath, [main, "mcp", ...flags], { env, stdio: ["pipe", "pipe", "pipe"] });
  const timer = setTimeout(() => child.kill("SIGKILL"), deadlineMs);
  const lines: string[] = [];
  let stderr = "";
  child.stderr.on("data", (block) => {
    stderr += String(block);
  });
  const waiting = new Map<unknown, (message: Record<string, unknown>) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    const message = JSON.parse(line) as Record<string, unknown>;
    const done = message.method === undefined ? waiting.get(message.id) : undefined;
    waiting.delete(message.id);
    done?.(message);
  });
  child.stdin.on("error", () => undefined); // a server that has ended reads no more
  const exited = new Promise<number | string>((done) => {
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      done(code ?? signal ?? "unknown");
    });
  });
  let last = 0;
  const send = (message: unknown): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  const ask: ServerProcess["ask"] = (method, params) => {
    const id = `t${++last}`;
    const { promise, resolve: done, reject } = Promise.withResolvers<Record<string, unknown>>();
    waiting.set(id, done);
    exited.then((how) => reject(new Error(`the server ended with ${how}: ${stderr}`)));
    promise.catch(() => undefined); // whoever awaits it is told
    send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
    return promise;
  };
  return {
    child,
    pid: child.pid ?? -1,
    lines,
    stderr: () => stderr,
    exited,
    send,
    write: (text) => void child.stdin.write(text),
    ask,
    async initialize() {
      const clientInfo = { name: "test", version: "1" };
      await ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
      send({ jsonrpc: "2.0", method: "notifications/initialized" });
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** Processes whose command line holds the text. */
export function processesWith(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/cmdline`))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, "utf8").includes(text);
      } catch {
        return false; // it has ended
      }
    })
    .map(Number);
}
