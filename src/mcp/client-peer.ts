// What a plugin asks back reaches the client whose call made it ask. A plugin does not say which call that was; where
// several are under way, the youngest is the likeliest.
import { isRecord } from "../base/record.ts";
import type { MessageParams, Peer } from "../model/session.ts";
import { ProtocolFault, type Result, rpcCodes } from "./results.ts";

/** How the client can be reached: in answer to one of its requests, or at any time. */
export interface Line {
  request(method: string, params: MessageParams, signal: AbortSignal): Promise<Result>;
  notify(method: string, params: MessageParams): Promise<void>;
}

export interface ClientPeers {
  /** The peer that a plugin is started with. */
  of(plugin: string): Peer;
  /** Notes that a request of the client is at work in a plugin, until it is done. */
  during<T>(plugin: string | undefined, line: Line, work: () => Promise<T>): Promise<T>;
}

export interface PeerOptions {
  /** How the client is reached when none of its requests is under way. */
  readonly standing: Line;
  capabilities(): Readonly<Record<string, unknown>>;
  /** Hears what the plugin says by itself. */
  heard(plugin: string, method: string, params: MessageParams, line: Line): void;
}

/** The peers of one client. */
export function createPeers({ standing, capabilities, heard }: PeerOptions): ClientPeers {
  const lines = new Map<string, Line[]>();
  const lineTo = (plugin: string): Line => lines.get(plugin)?.at(-1) ?? standing;
  return {
    of: (plugin) => ({
      request: (method, params, signal) => forward(method, params, signal, lineTo(plugin), capabilities()),
      notification: (method, params) => heard(plugin, method, params, lineTo(plugin)),
    }),
    async during(plugin, line, work) {
      if (plugin === undefined) return work();
      const open = lines.get(plugin) ?? [];
      lines.set(plugin, open);
      open.push(line);
      try {
        return await work();
      } finally {
        open.splice(open.indexOf(line), 1);
        if (open.length === 0) lines.delete(plugin);
      }
    },
  };
}

const needed: Readonly<Record<string, string>> = {
  "sampling/createMessage": "sampling",
  "elicitation/create": "elicitation",
  "roots/list": "roots",
};

/** A client that cannot do something is not asked for it; the plugin gets the answer that gum itself would give. */
async function forward(
  method: string,
  params: MessageParams,
  signal: AbortSignal,
  line: Line,
  capabilities: Readonly<Record<string, unknown>>,
): Promise<Result> {
  if (isRecord(capabilities[needed[method] ?? ""])) return line.request(method, params, signal);
  if (method === "roots/list") return { roots: [] };
  if (method === "elicitation/create") return { action: "cancel" };
  throw new ProtocolFault(rpcCodes.methodNotFound, "No model is behind this call");
}
