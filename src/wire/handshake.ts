// The handshake wire (W16–W18). One session is one process and one call: the first line is exchanged when it is opened,
// the second by the call, and then the process has to end.
import type { Host } from "../host/host.ts";
import type { HandshakeSpec } from "../model/plugin.ts";
import type { Answer, CallOptions, ListedTool, Plumbing, Session } from "../model/session.ts";
import { describeDeclared } from "./declared-tools.ts";
import { launchFailed } from "./handshake-failure.ts";
import {
  isRefusal,
  readHandshake,
  readResponse,
  refuseCapabilities,
  refuseTools,
  type SideManifest,
  type SideReply,
} from "./handshake-lines.ts";
import { SideProcess } from "./side-process.ts";
import { valueAnswer } from "./value-answer.ts";

/** The core-owned side of the contract; a null id binds to nothing. */
export type SideSpec = Omit<HandshakeSpec, "plugin_id"> & { readonly plugin_id: string | null };

export interface HandshakeOptions {
  /** Names the plugin in errors. */
  readonly plugin: string;
  readonly spec: SideSpec;
  readonly tools?: readonly ListedTool[] | undefined;
  /** The capabilities that the operator has granted. */
  readonly granted: readonly string[];
  readonly requestId: string;
  /** Takes secrets out of stderr before it is shown. */
  readonly redact?: ((text: string) => string) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface HandshakeSession extends Session {
  /** The plugin's own answer as it is, an error included; host failures are thrown. */
  exchange(tool: string, input: unknown, options: CallOptions): Promise<SideReply>;
  probe(timeoutMs: number): Promise<void>;
}

/** Starts the program and exchanges the first line. On failure the process is ended and the error names the cause. */
export async function openHandshake(
  host: Pick<Host, "clock">,
  launch: (timeoutMs: number) => Promise<Plumbing>,
  options: HandshakeOptions,
): Promise<HandshakeSession> {
  const { plugin, spec, signal } = options;
  const plumbing = await launch(spec.launch_timeout_ms).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw launchFailed(plugin, error);
  });
  const side = new SideProcess(host.clock, plumbing, {
    plugin,
    teardownMs: spec.teardown_timeout_ms,
    redact: options.redact ?? ((text) => text),
  });
  const greeting = JSON.stringify({ type: "handshake", protocol_version: spec.protocol });
  const first = await side.exchange("handshake", greeting, {
    timeoutMs: spec.handshake_timeout_ms,
    limitMs: spec.handshake_timeout_ms,
    signal,
  });
  const manifest = readHandshake(first.line, { protocol: spec.protocol, pluginId: spec.plugin_id });
  if (isRefusal(manifest)) throw await side.refuse(manifest, first.raw);
  return sessionOf(side, manifest, options);
}

function sessionOf(
  side: SideProcess,
  manifest: SideManifest,
  { tools = [], granted, requestId }: HandshakeOptions,
): HandshakeSession {
  const server = { name: manifest.pluginId, version: manifest.pluginVersion };
  const { protocolVersion } = manifest;
  const description = describeDeclared(tools, { server, protocolVersion });

  const exchange = async (tool: string, input: unknown, options: CallOptions): Promise<SideReply> => {
    side.begin();
    const refusal = refuseTools(manifest, [tool]) ?? refuseCapabilities(manifest, granted);
    if (refusal !== undefined) throw await side.refuse(refusal);
    const request = { type: "request", request_id: requestId, tool_name: tool, context: {}, input };
    const { line, raw } = await side.exchange("call", JSON.stringify(request), {
      timeoutMs: Math.max(1, options.timeoutMs - side.ageMs),
      limitMs: options.timeoutMs,
      signal: options.signal,
    });
    const reply = readResponse(line, requestId);
    if (isRefusal(reply)) throw await side.refuse(reply, raw);
    await side.finish("call");
    return reply;
  };

  return {
    over: side.over,
    describe: async () => description,
    exchange,
    call: async (tool, args, options) => answerOf(await exchange(tool, args ?? {}, options)),
    async probe() {
      side.begin();
      const names = tools.map(({ name }) => name);
      const refusal = refuseTools(manifest, names) ?? refuseCapabilities(manifest, granted);
      if (refusal !== undefined) throw await side.refuse(refusal);
      await side.finish("handshake");
    },
    stderrTail: () => side.stderrTail,
    close: () => side.close(),
  };
}

/** `invalid_input` is W9's INVALID_INPUT; what the plugin said stays as it is. */
function answerOf(reply: SideReply): Answer {
  if (reply.status === "ok") return valueAnswer(reply.output, reply.metadata);
  const { code, message } = reply.error;
  return { ok: false, error: { code, message, retryable: false, tableCode: code.toUpperCase() } };
}
