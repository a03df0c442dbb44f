// One connected client: requests in, results out. The SDK's server does the handshake, ids, cancellation and pings;
// everything else arrives at one handler, because the SDK's own would refuse results for a block that it does not know.

import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type JSONRPCRequest,
  ResultSchema,
  type ServerNotification,
  type ServerRequest,
} from "@modelcontextprotocol/sdk/types.js";
import { asGumError } from "../base/errors.ts";
import { isRecord } from "../base/record.ts";
import type { ServerClient } from "../kernel/server.ts";
import { gumVersion } from "../model/version.ts";
import { createAnnouncer } from "./announcer.ts";
import { createPeers, type Line } from "./client-peer.ts";
import type { Hub } from "./hub.ts";
import { createMethods } from "./methods.ts";
import { protocolFault } from "./results.ts";

export interface ClientSession {
  /** Ends the conversation and what runs for this client alone. Idempotent. */
  close(): Promise<void>;
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** A person may have to answer, so this is longer than a call of a tool. */
const askBackMs = 10 * 60_000;

const maxUnsent = 256;
const droppable = new Set(["notifications/message", "notifications/progress"]);

const instructions =
  "Search with gum.search, look at gum.describe_op, then call gum.read, gum.write or gum.destructive by risk_class.";

/** Serves one client over a transport until either side closes it. */
export async function openClientSession(hub: Hub, transport: Transport): Promise<ClientSession> {
  const changing = { listChanged: true } as const;
  const server = new Server(
    { name: "gum", title: "gum", version: gumVersion },
    {
      capabilities: {
        tools: hub.exposeTools ? changing : {},
        resources: { ...changing, subscribe: true },
        prompts: changing,
        completions: {},
        logging: {},
      },
      instructions,
      jsonSchemaValidator: noValidator,
    },
  );
  const standing = lineOf(server);
  const announcer = createAnnouncer(hub, standing);
  const peers = createPeers({
    standing,
    capabilities: () => ({ ...server.getClientCapabilities() }),
    heard: announcer.heardOn,
  });
  const client: ServerClient = hub.server.client(hub.exposeTools ? (plugin) => peers.of(plugin) : undefined);
  const answer = createMethods({ hub, client, peers, announcer });
  // gum sends log messages to clients that asked for them; the SDK would send them to all.
  server.removeRequestHandler("logging/setLevel");
  server.fallbackRequestHandler = async (request, extra) => {
    try {
      return await answer(request.method, paramsOf(request), {
        signal: extra.signal,
        line: lineOf(server, extra),
      });
    } catch (error) {
      throw protocolFault(error);
    }
  };
  server.onerror = (error) => hub.server.kernel.host.log.debug(`mcp: ${error.message.slice(0, 200)}`);
  let closing: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    hub.clients.delete(announcer);
    await client.close();
  };
  server.onclose = () => {
    closing ??= end();
  };
  await server.connect(transport);
  hub.clients.add(announcer);
  return {
    async close() {
      await server.close();
      await closing;
    },
  };
}

const noValidator = {
  getValidator(): never {
    throw new Error("Cannot validate: gum passes what is elicited on as it is");
  },
};

function paramsOf({ params }: JSONRPCRequest): Readonly<Record<string, unknown>> {
  return isRecord(params) ? params : {};
}

/** Messages go beside the answer to a request where there is one, which over HTTP is another stream. */
function lineOf(server: Server, extra?: Extra): Line {
  const related = extra === undefined ? {} : { relatedRequestId: extra.requestId };
  let unsent = 0;
  return {
    async request(method, params, signal) {
      const options = { ...related, signal, timeout: askBackMs };
      // The boundary: which of the server's requests it is, is the plugin's affair and not the type's.
      const message = { method, params: { ...params } } as ServerRequest;
      return server.request(message, ResultSchema, options);
    },
    async notify(method, params) {
      // A client that reads slowly misses some of what it need not know.
      if (unsent >= maxUnsent && droppable.has(method)) return;
      unsent++;
      const message = { method, params: { ...params } } as ServerNotification;
      try {
        await server.notification(message, related);
      } catch (error) {
        server.onerror?.(asGumError(error)); // a client that has gone cannot be told anything
      } finally {
        unsent--;
      }
    },
  };
}
