// S11: who may talk to the server over HTTP. A page in a browser can reach a loopback address too, under a name of its
// own choice: so the names in Host and Origin are checked, and not only where the connection comes from.
import { createHash, timingSafeEqual } from "node:crypto";
import { GumError, isErrno } from "../base/errors.ts";
import type { Kernel } from "../kernel/kernel.ts";

export interface Guard {
  /** The answer that refuses a request; undefined when it may pass. */
  refuse(request: Request): Response | undefined;
}

export interface GuardOptions {
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
  /** Further names that the server is known by, such as behind a proxy; with a port or without. */
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/** Whether only this machine can connect to the address. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Checks every request by its headers alone. */
export function createGuard({ host, port, token, allowedHosts, allowedOrigins }: GuardOptions): Guard {
  const own = isLoopback(host) ? loopbackNames : [host.includes(":") ? `[${host}]` : host];
  const authorities = new Set([...own.map((name) => `${name}:${port}`), ...allowedHosts].map(lower));
  const origins = new Set([...own.map((name) => `http://${name}:${port}`), ...allowedOrigins].map(lower));
  return {
    refuse({ headers }) {
      if (!authorities.has(lower(headers.get("host") ?? "")))
        return refusal(403, "The Host is not this server's");
      const origin = headers.get("origin");
      if (origin !== null && !origins.has(lower(origin))) return refusal(403, "The Origin may not connect");
      if (token !== undefined && !holds(headers.get("authorization"), token)) {
        return refusal(401, "A bearer token is needed", { "www-authenticate": "Bearer" });
      }
      return undefined;
    },
  };
}

/** A refusal as JSON-RPC clients expect it. */
export function refusal(status: number, message: string, headers: Record<string, string> = {}): Response {
  const body = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32000, message } });
  return new Response(body, { status, headers: { "content-type": "application/json", ...headers } });
}

/** Both sides are hashed, so that neither length nor content is told by the time it takes. */
function holds(authorization: string | null, token: string): boolean {
  const [, given = ""] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

function lower(text: string): string {
  return text.toLowerCase();
}

const minTokenLength = 16;

/** The token in a file that nobody else can read. */
export async function readToken({ host }: Kernel, path: string): Promise<string> {
  const say = (what: string, hint: string): GumError =>
    new GumError("CONFIG_INVALID", `The token file ${path} ${what}.`, { hint });
  try {
    const facts = await host.files.stat(path);
    if (facts.kind !== "file") throw say("is not a file", "name a file that holds the token alone");
    if ((facts.mode & 0o077) !== 0) throw say("can be read by others", `run \`chmod 600 ${path}\``);
    if (facts.uid !== host.machine.uid) throw say("belongs to another user", "make one of your own");
    const token = (await host.files.readText(path, { maxBytes: 4096 })).trim();
    if (token.length >= minTokenLength && !/\s/.test(token)) return token;
    throw say("holds no usable token", "put one line of at least 16 characters into it");
  } catch (error) {
    if (!isErrno(error, "ENOENT", "EACCES", "EFBIG", "ENOTDIR")) throw error;
    throw say("cannot be read", "name a file that holds the token alone");
  }
}
