import { handshakeProtocol, PROTOCOL_VERSION } from "../model/line-protocols.ts";

/** The protocol versions that gum speaks with plugins, newest first. A test holds them to the SDK's own list. */
export const protocols = {
  mcp: ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"],
  jsonl: [PROTOCOL_VERSION],
  handshake: [handshakeProtocol],
} as const;
