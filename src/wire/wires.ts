// Which wire a plugin of which shape is talked to over. This table is all that knows.
import { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { Plugin, Shape } from "../model/plugin.ts";
import type { Peer, Plumbing, Session } from "../model/session.ts";
import { declaredTools } from "./declared-tools.ts";
import { openHandshake } from "./handshake.ts";
import { createJsonl } from "./jsonl.ts";
import { openMcp } from "./mcp.ts";
import { callTimeout } from "./timeouts.ts";

/** A plugin that is about to be started, and how. */
export interface WireStart {
  readonly plugin: Pick<Plugin, "id" | "tools" | "handshake" | "timeout_ms">;
  /** The capabilities that the operator has granted. */
  readonly granted: readonly string[];
  /** gum's own version. */
  readonly version: string;
  /** Starts the program; `timeoutMs` is for the start itself, where the wire has a limit of its own. */
  launch(timeoutMs?: number): Promise<Plumbing>;
  /** Aborted when gum itself is ending, or nobody wants the session any longer. */
  readonly signal: AbortSignal;
  readonly connectTimeoutMs?: number | undefined;
  readonly peer?: Peer | undefined;
}

export interface Wire {
  /** Whether a process answers one call and ends. */
  readonly oneShot: boolean;
  /** Starts the program and opens a session with it. On failure nothing is left running. */
  open(host: Pick<Host, "clock" | "log" | "randomHex">, start: WireStart): Promise<Session>;
}

export const wires: Readonly<Partial<Record<Shape, Wire>>> = {
  "mcp-plugin": {
    oneShot: false,
    async open(host, { plugin, version, signal, connectTimeoutMs, peer, launch }) {
      return openMcp(host, await launch(), { plugin: plugin.id, version, signal, connectTimeoutMs, peer });
    },
  },
  "jsonl-plugin": {
    oneShot: false,
    async open(host, { plugin, signal, launch }) {
      const session = createJsonl(host, launch, {
        plugin: plugin.id,
        tools: declaredTools(plugin),
        callTimeoutMs: callTimeout({ pluginMs: plugin.timeout_ms }),
        ending: signal,
      });
      // A session is opened because somebody calls, and what was verified for that must be what runs.
      await session.start();
      return session;
    },
  },
  "handshake-plugin": {
    oneShot: true,
    async open(host, { plugin, granted, signal, launch }) {
      if (plugin.handshake === null) throw new TypeError("Cannot shake hands: the plugin has no handshake");
      return openHandshake(host, launch, {
        plugin: plugin.id,
        spec: plugin.handshake,
        tools: declaredTools(plugin),
        granted,
        requestId: host.randomHex(32),
        signal,
      });
    },
  },
};

/** The wire of a shape; throws for one that this version of gum cannot run. */
export function wireOf(shape: Shape): Wire {
  const wire = wires[shape];
  if (wire !== undefined) return wire;
  throw new GumError("PLUGIN_SHAPE_UNSUPPORTED", `This version of gum cannot run a ${shape} yet.`, {
    hint: "use the shape mcp-plugin",
  });
}
