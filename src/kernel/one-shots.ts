// Sessions of plugins whose process answers one call (W16): nothing is kept between calls, and only so many run at once.
import { GumError } from "../base/errors.ts";
import type { LentSession, SessionOwner } from "../model/call-runtime.ts";
import type { Session } from "../model/session.ts";
import { Turnstile } from "./turnstile.ts";

export interface OneShotOptions {
  /** How many processes of one plugin run at once. */
  readonly maxRunning: number;
  /** How many calls may wait for one plugin; more are refused at once. */
  readonly maxWaiting: number;
}

/** The processes of one-call plugins that are under way. */
export class OneShots {
  readonly #options: OneShotOptions;
  readonly #gates = new Map<string, Turnstile>();
  readonly #sessions = new Map<Session, string>();

  constructor(options: OneShotOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Starts a process for one call; giving it back ends it. */
  async open(owner: SessionOwner, signal: AbortSignal, start: () => Promise<Session>): Promise<LentSession> {
    const gate = this.#gateOf(owner.plugin);
    await gate.enter(signal);
    try {
      const session = await start();
      this.#sessions.set(session, owner.plugin);
      return { session, release: () => this.#end(session, gate) };
    } catch (error) {
      gate.leave();
      throw error;
    }
  }

  /** Closes the processes of one plugin, or all of them. */
  async close(plugin?: string): Promise<void> {
    const own = [...this.#sessions].filter(([, owner]) => plugin === undefined || owner === plugin);
    await Promise.all(own.map(([session]) => session.close()));
  }

  async #end(session: Session, gate: Turnstile): Promise<void> {
    if (!this.#sessions.delete(session)) return;
    try {
      await session.close();
    } finally {
      gate.leave();
    }
  }

  #gateOf(plugin: string): Turnstile {
    const { maxRunning, maxWaiting } = this.#options;
    const gate =
      this.#gates.get(plugin) ??
      new Turnstile(maxRunning, maxWaiting, () => {
        return new GumError("RATE_LIMITED", `Too many calls wait for plugin "${plugin}".`, {
          retryable: true,
        });
      });
    this.#gates.set(plugin, gate);
    return gate;
  }
}
