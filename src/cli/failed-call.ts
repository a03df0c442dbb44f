import type { FailureContext } from "../model/envelope.ts";

/** A failure together with what it was about, for whoever tells it. */
export class FailedCall extends Error {
  override readonly name = "FailedCall";
  readonly context: FailureContext;

  constructor(cause: unknown, context: FailureContext) {
    super("a call failed", { cause });
    this.context = context;
  }
}
