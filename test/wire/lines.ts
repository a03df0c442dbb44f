// The two line wires over puppets that write exactly what a test wants.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plumbing } from "../../src/model/session.ts";
import { type HandshakeSession, openHandshake } from "../../src/wire/handshake.ts";
import { createJsonl, type JsonlOptions, type JsonlSession } from "../../src/wire/jsonl.ts";
import { host, startProgram, temporaryFolder } from "./start.ts";

const puppets = join(import.meta.dir, "puppets");

let written = 0;

/** A file with bytes that a puppet is to write: some are longer than an argument may be. */
function fileOf(bytes: string | Uint8Array): string {
  const file = join(temporaryFolder(), `${written++}`);
  writeFileSync(file, bytes);
  return file;
}

export interface Puppet {
  readonly session: JsonlSession;
  /** The processes that were started. */
  readonly started: Plumbing[];
  /** Calls `write` with these bytes; `$ID` in them becomes the request's id. */
  say(bytes: string | Uint8Array, more?: object, timeoutMs?: number): Promise<unknown>;
}

export function jsonlPuppet(options: Partial<JsonlOptions> = {}): Puppet {
  const started: Plumbing[] = [];
  const launch = async (): Promise<Plumbing> => {
    const plumbing = startProgram("/usr/bin/python3", ["-I", "-S", join(puppets, "jsonl.py")]);
    started.push(plumbing);
    return plumbing;
  };
  const session = createJsonl(host, launch, { plugin: "puppet", ...options });
  return {
    session,
    started,
    say: async (bytes, more = {}, timeoutMs = 5000) => {
      const params = { file: fileOf(bytes), ...more };
      return (await session.exchange("write", params, { timeoutMs })).reply;
    },
  };
}

export interface SideWishes {
  readonly first?: string | Uint8Array | "-";
  readonly second?: string | Uint8Array | "-" | "request";
  readonly after?: "exit-after-first" | "exit" | "stay" | "end";
  readonly granted?: readonly string[];
  readonly handshakeMs?: number;
  readonly teardownMs?: number;
  readonly tools?: readonly string[];
}

export const sideManifest = {
  plugin_id: "acme.side",
  plugin_version: "1.0.0",
  protocol_version: "rterm.plugin.v1",
  exposed_tools: ["echo"],
};

/** A handshake line with this manifest. */
export function handshakeLine(manifest: object = sideManifest): string {
  return JSON.stringify({ type: "handshake", manifest });
}

/** A good response line. */
export const responseLine = '{"type":"response","request_id":"$ID","status":"ok","output":1}';

/** Opens a session with a side process that says these lines. */
export function openSide(wishes: SideWishes = {}, started: Plumbing[] = []): Promise<HandshakeSession> {
  const { first = `${handshakeLine()}\n`, second = `${responseLine}\n`, after = "end" } = wishes;
  const words = [first, second].map((bytes) =>
    bytes === "-" || bytes === "request" ? bytes : fileOf(bytes),
  );
  const launch = async (): Promise<Plumbing> => {
    const args = ["-I", "-S", join(puppets, "side.py"), ...words, after];
    const plumbing = startProgram("/usr/bin/python3", args);
    started.push(plumbing);
    return plumbing;
  };
  return openHandshake(host, launch, {
    plugin: "puppet",
    spec: {
      protocol: "rterm.plugin.v1",
      plugin_id: "acme.side",
      launch_timeout_ms: 2000,
      handshake_timeout_ms: wishes.handshakeMs ?? 5000,
      timeout_ms: 5000,
      teardown_timeout_ms: wishes.teardownMs ?? 2000,
    },
    tools: (wishes.tools ?? ["echo"]).map((name) => ({ name })),
    granted: wishes.granted ?? [],
    requestId: "0123456789abcdef",
  });
}
