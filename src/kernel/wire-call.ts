// W14: talking straight to a program that its author names. Nothing is installed, verified or confined: the program has
// the rights of whoever runs the command, as if they had started it themselves. It still ends with gum.
import { isAbsolute, resolve } from "node:path/posix";
import { asGumError, type GumError } from "../base/errors.ts";
import { hintFor } from "../model/envelope.ts";
import { handshakeProtocol } from "../model/line-protocols.ts";
import type { Plumbing } from "../model/session.ts";
import { launchUnconfined } from "../sandbox/launch-unconfined.ts";
import { findProgram } from "../source/find-program.ts";
import { openHandshake } from "../wire/handshake.ts";
import { createJsonl } from "../wire/jsonl.ts";
import { defaultTimeouts } from "../wire/timeouts.ts";
import type { Written } from "../wire/value-answer.ts";
import type { WireAnswer, WireFailure } from "./answers-wire.ts";
import type { Kernel } from "./kernel.ts";

export const lineWires = ["jsonl", "handshake"] as const;
export type LineWire = (typeof lineWires)[number];

export interface WireRequest {
  readonly wire: LineWire;
  /** The program and its arguments; a name without a slash is looked for on PATH. */
  readonly command: readonly [string, ...string[]];
  readonly timeoutMs?: number | undefined;
  /** Handshake only: what the program must name itself; without it any id will do. */
  readonly pluginId?: string | undefined;
  readonly protocol?: string | undefined;
  /** Handshake only: the capabilities that it may declare. */
  readonly granted: readonly string[];
}

/** An answer, and the line of JSON that tells it: numbers keep the digits that the program wrote. */
export interface ToldAnswer {
  readonly answer: WireAnswer;
  readonly text: string;
}

/** Calls of one program, in turn; what goes wrong with one of them is its answer. */
export interface WireCaller {
  call(method: string, params: unknown): Promise<ToldAnswer>;
  close(): Promise<void>;
}

/** Opens nothing yet: the first call starts the program. */
export function openWire(kernel: Kernel, request: WireRequest): WireCaller {
  const exchange = request.wire === "jsonl" ? jsonlCalls(kernel, request) : handshakeCalls(kernel, request);
  const { clock } = kernel.host;
  let number = 0;
  return {
    async call(method, params) {
      number++;
      const start = clock.monotonic();
      const said = await exchange.call(method, params).catch((thrown: unknown): Said => {
        kernel.signal.throwIfAborted();
        return { kind: "failure", failure: failureOf(asGumError(thrown)) };
      });
      const ms = Math.round((clock.monotonic() - start) * 1000) / 1000;
      return toldAnswer({ number, method, ms }, said);
    },
    close: () => exchange.close(),
  };
}

type Said =
  | { readonly kind: "result"; readonly result: Written; readonly metadata?: Written | undefined }
  | Pick<Extract<WireAnswer, { kind: "error" }>, "kind" | "error">
  | Pick<Extract<WireAnswer, { kind: "failure" }>, "kind" | "failure">;

function toldAnswer(about: { number: number; method: string; ms: number }, said: Said): ToldAnswer {
  if (said.kind !== "result") {
    const answer = { ...about, ...said };
    return { answer, text: JSON.stringify(answer) };
  }
  const { kind, result, metadata } = said;
  const head = JSON.stringify({ ...about, kind }).slice(0, -1);
  const more = metadata === undefined ? "" : `,"metadata":${metadata.text}`;
  const beside = metadata === undefined ? {} : { metadata: metadata.value };
  const answer = { ...about, kind, result: result.value, ...beside };
  return { answer, text: `${head},"result":${result.text}${more}}` };
}

interface Exchange {
  call(method: string, params: unknown): Promise<Said>;
  close(): Promise<void>;
}

/** One process for all calls. */
function jsonlCalls(kernel: Kernel, request: WireRequest): Exchange {
  const { signal, host } = kernel;
  const timeoutMs = request.timeoutMs ?? defaultTimeouts.callMs;
  const session = createJsonl(host, () => launchProgram(kernel, request), {
    plugin: nameOf(request),
    callTimeoutMs: timeoutMs,
    ending: signal,
  });
  return {
    async call(method, params) {
      const { reply, written } = await session.exchange(method, params, { timeoutMs, signal });
      if ("error" in reply) return { kind: "error", error: reply.error };
      return { kind: "result", result: { value: reply.result, text: written ?? "null" } };
    },
    close: () => session.close(),
  };
}

const sideLimits = { launch_timeout_ms: 2000, handshake_timeout_ms: 2000, teardown_timeout_ms: 500 } as const;
const invocationMs = 5000;

/** One process for each call, as the contract says. */
function handshakeCalls(kernel: Kernel, request: WireRequest): Exchange {
  const { signal, host } = kernel;
  const timeoutMs = request.timeoutMs ?? invocationMs;
  const spec = {
    ...sideLimits,
    protocol: request.protocol ?? handshakeProtocol,
    plugin_id: request.pluginId ?? null,
    timeout_ms: timeoutMs,
  };
  return {
    async call(tool, input) {
      const session = await openHandshake(host, (limitMs) => launchProgram(kernel, request, limitMs), {
        plugin: nameOf(request),
        spec,
        granted: request.granted,
        requestId: host.randomHex(32),
        signal,
      });
      try {
        const reply = await session.exchange(tool, input ?? {}, { timeoutMs, signal });
        if (reply.status === "error") return { kind: "error", error: reply.error };
        return { kind: "result", result: reply.output, metadata: reply.metadata };
      } finally {
        await session.close();
      }
    },
    close: async () => undefined,
  };
}

async function launchProgram(
  { host, signal }: Kernel,
  { command }: WireRequest,
  timeoutMs?: number,
): Promise<Plumbing> {
  const [name, ...args] = command;
  const path = name.includes("/") ? resolve(host.machine.cwd, name) : await findProgram(host, name);
  if (path === undefined || !isAbsolute(path)) {
    throw Object.assign(new Error(`ENOENT: ${name} is not on PATH`), { code: "ENOENT" });
  }
  const program = {
    executable: undefined,
    path,
    argv: [name, ...args],
    env: ownEnvironment(host.env),
    cwd: host.machine.cwd,
  };
  return launchUnconfined(host, program, { signal, timeoutMs });
}

/** The author's own variables, less those that change what gum's runtime does. */
function ownEnvironment(env: Kernel["host"]["env"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || name.startsWith("BUN_") ? [] : [[name, value]],
    ),
  );
}

function nameOf({ command }: WireRequest): string {
  return command[0].split("/").at(-1) ?? command[0];
}

function failureOf({ code, message, info }: GumError): WireFailure {
  const { rpc_code, raw_line, ...details } = info.details ?? {};
  return {
    failure_code: info.failureCode ?? null,
    error_code: code,
    message,
    hint: hintFor(code, info.hint, {}),
    ...(typeof rpc_code === "number" ? { rpc_code } : {}),
    ...(typeof raw_line === "string" ? { raw_line } : {}),
    details,
  };
}
