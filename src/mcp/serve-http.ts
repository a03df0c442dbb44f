// S11: Streamable HTTP. One conversation per session id; how many there are, and how long one may lie unused, is bounded.
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { GumError, isErrno } from "../base/errors.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { type ClientSession, openClientSession } from "./client-session.ts";
import { createGuard, isLoopback, readToken, refusal } from "./http-guard.ts";
import { type Hub, type HubOptions, openHub } from "./hub.ts";
import { aborted } from "./serve-stdio.ts";

export interface HttpOptions extends HubOptions {
  readonly host: string;
  readonly port: number;
  readonly tokenFile: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly maxSessions: number;
  readonly idleMs: number;
  /** Told where the server listens. */
  onListening(url: string): void;
}

const path = "/mcp";
const requestTimeoutMs = 30_000;
const maxConnections = 1024;

/** Serves clients over HTTP until gum is told to end. */
export async function serveHttp(kernel: Kernel, options: HttpOptions): Promise<void> {
  const { host, signal } = kernel;
  const token = await tokenFor(kernel, options);
  const hub = await openHub(kernel, options);
  const sessions = createSessions(hub, options);
  try {
    let answer = async (_: Request): Promise<Response> => refusal(503, "The server is starting");
    const listener = await listen(kernel, options, (request) => answer(request));
    const { port } = listener;
    const guard = createGuard({ ...options, port, token });
    answer = async (request) => guard.refuse(request) ?? route(request, sessions);
    options.onListening(
      `http://${options.host.includes(":") ? `[${options.host}]` : options.host}:${port}${path}`,
    );
    const sweeping = sessions.sweep(signal);
    await aborted(signal);
    answer = async () => refusal(503, "The server is ending");
    await hub.close();
    await sessions.close();
    await listener.close();
    await sweeping;
  } finally {
    await hub.close();
    host.log.debug("the server has ended");
  }
}

async function tokenFor(kernel: Kernel, { host, tokenFile }: HttpOptions): Promise<string | undefined> {
  if (tokenFile !== undefined) return readToken(kernel, tokenFile);
  if (isLoopback(host)) return undefined;
  throw new GumError("USAGE", `Serving on ${host} needs a bearer token, since others can reach it.`, {
    hint: "put a token into a file that only you can read (chmod 600) and name it with --token-file",
  });
}

async function listen(
  { host, config }: Kernel,
  options: HttpOptions,
  answer: (request: Request) => Promise<Response>,
) {
  try {
    return await host.network.listen(
      {
        host: options.host,
        port: options.port,
        maxBodyBytes: config["wire.max_message_bytes"],
        requestTimeoutMs,
        maxConnections,
      },
      answer,
    );
  } catch (error) {
    const code = ["EADDRINUSE", "EACCES", "EADDRNOTAVAIL", "ENOTFOUND"].find((one) => isErrno(error, one));
    if (code === undefined) throw error;
    throw new GumError("USAGE", `Cannot serve on ${options.host}:${options.port}: ${code}.`, {
      hint: "choose another address or port",
      cause: error,
    });
  }
}

async function route(request: Request, sessions: Sessions): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname !== path) return refusal(404, `MCP is served at ${path}`);
  if (request.method === "OPTIONS") return preflight(request);
  const answer = await sessions.answer(request);
  const origin = request.headers.get("origin");
  if (origin !== null) {
    answer.headers.set("access-control-allow-origin", origin);
    answer.headers.set("access-control-expose-headers", "mcp-session-id");
  }
  return answer;
}

/** Browsers ask first; who may connect was decided by the Origin. */
function preflight({ headers }: Request): Response {
  const origin = headers.get("origin");
  if (origin === null) return refusal(405, "Method not allowed", { allow: "GET, POST, DELETE" });
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "GET, POST, DELETE",
      "access-control-allow-headers":
        "authorization, content-type, accept, mcp-session-id, mcp-protocol-version, last-event-id",
      vary: "origin",
    },
  });
}

interface Sessions {
  answer(request: Request): Promise<Response>;
  /** Closes sessions that nobody uses, until the signal. */
  sweep(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

interface Open {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly session: ClientSession;
  usedAt: number;
  inUse: number;
}

function createSessions(hub: Hub, { maxSessions, idleMs }: HttpOptions): Sessions {
  const { host, config } = hub.server.kernel;
  const open = new Map<string, Open>();
  let opening = 0;

  const begin = async (request: Request): Promise<Response> => {
    if (open.size + opening >= maxSessions) {
      return refusal(503, "Too many sessions are open", { "retry-after": "60" });
    }
    opening++;
    try {
      let id: string | undefined;
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => host.randomHex(32),
        maxRequestBodySize: config["wire.max_message_bytes"],
        onsessioninitialized: (given) => {
          id = given;
        },
      });
      const session = await openClientSession(hub, transport);
      const answer = await transport.handleRequest(request);
      if (id === undefined) await session.close();
      else await keep(id, { transport, session, usedAt: host.clock.monotonic(), inUse: 0 });
      return answer;
    } finally {
      opening--;
    }
  };
  const keep = async (id: string, entry: Open): Promise<void> => {
    open.set(id, entry);
    const { onclose } = entry.transport;
    entry.transport.onclose = () => {
      open.delete(id);
      onclose?.();
    };
  };
  return {
    async answer(request) {
      const id = request.headers.get("mcp-session-id");
      if (id === null) return begin(request);
      const entry = open.get(id);
      if (entry === undefined) return refusal(404, "There is no such session");
      entry.inUse++;
      request.signal.addEventListener("abort", () => release(entry), { once: true });
      entry.usedAt = host.clock.monotonic();
      return entry.transport.handleRequest(request);
    },
    async sweep(signal) {
      while (!signal.aborted) {
        await host.clock.sleep(Math.min(idleMs, 30_000), signal).catch(() => undefined); // the loop ends by itself
        const oldest = host.clock.monotonic() - idleMs;
        const idle = [...open.values()].filter((entry) => entry.inUse <= 0 && entry.usedAt < oldest);
        await Promise.all(idle.map(({ session }) => session.close()));
      }
    },
    async close() {
      await Promise.all([...open.values()].map(({ session }) => session.close()));
    },
  };

  /** A request is over when its connection lets go of the answer. */
  function release(entry: Open): void {
    entry.inUse--;
    entry.usedAt = host.clock.monotonic();
  }
}
