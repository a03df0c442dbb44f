/** One at a time, in the order in which they came. */
export class Turns {
  #busy = false;
  readonly #waiting = new Set<() => void>();

  /** Takes the turn when nobody has it. */
  take(): boolean {
    if (this.#busy) return false;
    this.#busy = true;
    return true;
  }

  /** Resolves when it is this caller's turn; rejects with the signal's reason when it stops waiting. */
  wait(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const go = (): void => {
      signal?.removeEventListener("abort", leave);
      resolve();
    };
    const leave = (): void => {
      this.#waiting.delete(go);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", leave, { once: true });
    this.#waiting.add(go);
    return promise;
  }

  /** Hands the turn to whoever has waited longest. */
  pass(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#busy = false;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
