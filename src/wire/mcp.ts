// The mcp wire. The plugin's process is already running when a session is opened, so that it boots while the SDK loads.
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Host } from "../host/host.ts";
import type { Peer, Plumbing } from "../model/session.ts";
import { answerPlugin, clientCapabilities } from "./client-role.ts";
import { defaultWaits, type LadderWaits } from "./close-ladder.ts";
import { defaultLimits, type TransportLimits } from "./limits.ts";
import { initialize } from "./mcp-initialize.ts";
import { McpLink } from "./mcp-link.ts";
import { createMcpSession, type McpSession } from "./mcp-session.ts";
import { oneLine } from "./text.ts";
import { defaultTimeouts } from "./timeouts.ts";
import { PluginTransport } from "./transport.ts";

export interface McpOptions {
  /** Names the plugin in errors. */
  readonly plugin: string;
  /** gum's own version, for clientInfo. */
  readonly version: string;
  /** For initialize, and again for the whole of tools/list. */
  readonly connectTimeoutMs?: number | undefined;
  readonly limits?: Partial<TransportLimits> | undefined;
  readonly waits?: LadderWaits | undefined;
  readonly peer?: Peer | undefined;
  /** Takes secrets out of stderr before it is shown. */
  readonly redact?: ((text: string) => string) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Initializes an already started MCP server. On failure the server is ended and the error names the cause. */
export async function openMcp(
  host: Pick<Host, "clock" | "log">,
  plumbing: Plumbing,
  options: McpOptions,
): Promise<McpSession> {
  const connectMs = options.connectTimeoutMs ?? defaultTimeouts.connectMs;
  const transport = new PluginTransport(host.clock, plumbing, { ...defaultLimits, ...options.limits });
  const [{ Client }, types] = await Promise.all([
    import("@modelcontextprotocol/sdk/client/index.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  const client = new Client(
    { name: "gum", version: options.version },
    // The SDK's own validator would be built eagerly and never used: gum calls no tool through the SDK's callTool.
    { capabilities: clientCapabilities, jsonSchemaValidator: noValidator },
  );
  const link = new McpLink({
    clock: host.clock,
    plugin: options.plugin,
    plumbing,
    transport,
    client,
    resultSchema: types.ResultSchema,
    waits: options.waits ?? defaultWaits,
    redact: options.redact ?? ((text) => text),
  });
  serve(client, host, options);
  try {
    await client.connect(transport);
    const facts = await initialize(link, {
      latest: types.LATEST_PROTOCOL_VERSION,
      supported: types.SUPPORTED_PROTOCOL_VERSIONS,
      version: options.version,
      connectMs,
      signal: options.signal,
    });
    return createMcpSession(link, facts, connectMs);
  } catch (error) {
    await link.close();
    throw error;
  }
}

const noValidator = {
  getValidator(): never {
    throw new Error("Cannot validate: gum checks schemas itself");
  },
};

function serve(client: Client, host: Pick<Host, "log">, options: McpOptions): void {
  client.fallbackRequestHandler = (request, extra) => answerPlugin(options.peer, request, extra.signal);
  client.fallbackNotificationHandler = async ({ method, params }) => {
    options.peer?.notification?.(method, params);
  };
  client.onerror = (error) => host.log.debug(`${options.plugin}: ${oneLine(error.message, 200)}`);
}
