import type { Peer, Session } from "./session.ts";

/** A plugin whose policy and environment are settled; starting it is all that is left. */
export interface PreparedStart<Executable> {
  /** The plugin's whole environment, made from nothing. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts it in its sandbox and opens a session on its wire. */
  start(options: {
    /** The descriptor that was hashed; for an ELF file, exactly it runs. */
    readonly verified: Executable;
    readonly signal: AbortSignal;
    readonly connectTimeoutMs?: number | undefined;
    /** Who answers the plugin's own requests; gum does without one. */
    readonly peer?: Peer | undefined;
  }): Promise<Session>;
}
