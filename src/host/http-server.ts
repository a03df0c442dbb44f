// Requests and answers of the web's own kind over node:http, which Bun and Deno both have.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Listener, ListenOptions } from "./host.ts";

/** Serves HTTP on one address until it is closed. */
export async function listen(
  options: ListenOptions,
  answer: (request: Request) => Promise<Response>,
): Promise<Listener> {
  const life = new AbortController();
  const server = createServer(
    // A body that trickles in never gets as far as `answer`.
    { requestTimeout: options.requestTimeoutMs, headersTimeout: options.requestTimeoutMs },
    (incoming, outgoing) => {
      serve(incoming, outgoing, { options, answer, life: life.signal }).catch(() => outgoing.destroy());
    },
  );
  server.maxConnections = options.maxConnections;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(options.port, options.host, resolve);
  await promise;
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : options.port,
    async close() {
      life.abort();
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Serving {
  readonly options: ListenOptions;
  readonly answer: (request: Request) => Promise<Response>;
  readonly life: AbortSignal;
}

async function serve(incoming: IncomingMessage, outgoing: ServerResponse, serving: Serving): Promise<void> {
  const body = await readBody(incoming, serving.options);
  if (typeof body === "number") return refuse(outgoing, body);
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const signal = AbortSignal.any([gone.signal, serving.life]);
  const answer = await serving.answer(requestOf(incoming, body, signal));
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) outgoing.end();
  else await pour(answer.body, outgoing, signal);
}

/** The body, or the status that refuses it. */
async function readBody(
  incoming: IncomingMessage,
  { maxBodyBytes, requestTimeoutMs }: ListenOptions,
): Promise<Uint8Array | 408 | 413> {
  if (Number(incoming.headers["content-length"] ?? 0) > maxBodyBytes) return 413;
  const blocks: Uint8Array[] = [];
  let size = 0;
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | 408 | 413>();
  const timer = setTimeout(() => resolve(408), requestTimeoutMs);
  incoming.on("data", (block: Uint8Array) => {
    size += block.length;
    if (size > maxBodyBytes) resolve(413);
    else blocks.push(block);
  });
  incoming.once("end", () => resolve(Buffer.concat(blocks, size)));
  incoming.once("error", reject);
  incoming.once("close", () => reject(new Error("The request ended before its end")));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    incoming.removeAllListeners("data");
  }
}

/** What is still coming of a refused request is not read. */
function refuse(outgoing: ServerResponse, status: number): void {
  outgoing.writeHead(status, { connection: "close" });
  outgoing.end(() => outgoing.destroy());
}

function requestOf(incoming: IncomingMessage, body: Uint8Array, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  const method = incoming.method ?? "GET";
  const bodiless = method === "GET" || method === "HEAD";
  // The authority in it is nobody's claim: whoever checks the host reads the header.
  const url = new URL(incoming.url?.startsWith("/") ? incoming.url : "/", "http://localhost");
  return new Request(url.href, {
    method,
    headers,
    signal,
    ...(bodiless ? {} : { body: new TextDecoder().decode(body) }),
  });
}

/** Writes a stream as fast as the other side reads it, and lets go of it when that side has gone. */
async function pour(
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  outgoing.flushHeaders();
  const reader = body.getReader();
  const stop = (): void => void reader.cancel().catch(() => undefined); // the stream has ended by itself
  signal.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) break;
      if (!outgoing.write(value)) await drained(outgoing);
    }
  } finally {
    signal.removeEventListener("abort", stop);
    outgoing.end();
  }
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      outgoing.off("drain", go);
      outgoing.off("close", go);
      resolve();
    };
    outgoing.once("drain", go);
    outgoing.once("close", go);
  });
}
