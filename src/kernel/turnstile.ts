/** Lets so many in at once, and so many wait, in the order in which they came. */
export class Turnstile {
  readonly #places: number;
  readonly #maxWaiting: number;
  readonly #full: () => Error;
  readonly #waiting = new Set<() => void>();
  #inside = 0;

  constructor(places: number, maxWaiting: number, full: () => Error) {
    this.#places = places;
    this.#maxWaiting = maxWaiting;
    this.#full = full;
  }

  /** Resolves when there is a place; rejects with the signal's reason, or at once when too many wait. */
  enter(signal: AbortSignal): Promise<void> {
    if (this.#inside < this.#places) {
      this.#inside++;
      return Promise.resolve();
    }
    if (this.#waiting.size >= this.#maxWaiting) return Promise.reject(this.#full());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const go = (): void => {
      signal.removeEventListener("abort", stop);
      resolve();
    };
    const stop = (): void => {
      this.#waiting.delete(go);
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    this.#waiting.add(go);
    return promise;
  }

  /** Hands the place to whoever has waited longest. */
  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#inside--;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
