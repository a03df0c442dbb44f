import type { Host } from "../host/host.ts";

/** The longest time that a timer can be set to. */
export const longestTimer = 2 ** 31 - 1;

/** The two things that end a request early: its time and its caller. */
export class RequestLimit {
  hit: "timeout" | "cancelled" | undefined;
  readonly #request = new AbortController();
  readonly #timer = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #onAbort = (): void => this.#end("cancelled", "The caller cancelled the request");

  constructor(
    clock: Host["clock"],
    { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined },
  ) {
    this.#caller = signal;
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    clock.sleep(Math.min(timeoutMs, longestTimer), this.#timer.signal).then(
      () => this.#end("timeout", `No answer within ${timeoutMs} ms`),
      () => undefined, // answered in time
    );
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  lift(): void {
    this.#timer.abort();
    this.#caller?.removeEventListener("abort", this.#onAbort);
  }

  #end(hit: "timeout" | "cancelled", reason: string): void {
    this.hit ??= hit;
    this.#request.abort(reason);
  }
}
