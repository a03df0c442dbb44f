import { exitCodeOf, exitCodes } from "../base/error-codes.ts";
import { asGumError, type GumError } from "../base/errors.ts";
import { type FailureContext, failureEnvelope } from "../model/envelope.ts";
import type { Host } from "./context.ts";
import type { Wishes } from "./flag-words.ts";
import { renderError, viewOfError } from "./render-error.ts";
import { type Stop, type StopAnswer, stops } from "./stops.ts";

/** Says that a signal stopped gum: as one JSON object on stdout, or in one line on stderr. */
export function reportStop(how: Stop, json: boolean, terminal: Host["terminal"]): number {
  const { signal, words } = stops[how];
  const stopped: StopAnswer = { success: false, interrupted: true, signal, error: `gum was ${words}.` };
  if (json) terminal.out(`${JSON.stringify(stopped)}\n`);
  else terminal.err(`gum: ${words}\n`);
  return exitCodes[how];
}

/** Tells a failure, as one JSON object on stdout or for a person on stderr, and answers its exit code. */
export function reportFailure(
  thrown: unknown,
  wishes: Wishes,
  terminal: Host["terminal"],
  context: FailureContext = {},
): number {
  const error = asGumError(thrown);
  if (wishes.json) terminal.out(`${JSON.stringify(failureEnvelope(error, context))}\n`);
  else terminal.err(renderError(viewOfError(error, context), colourOf(wishes, terminal)));
  if (wishes.debug) terminal.err(stackOf(error));
  return exitCodeOf(error.code);
}

function colourOf(wishes: Wishes, terminal: Host["terminal"]): boolean {
  return wishes.color && terminal.colour;
}

function stackOf(error: GumError): string {
  const cause = error.cause instanceof Error ? `\n${error.cause.stack ?? error.cause.message}` : "";
  return `${error.stack ?? error.message}${cause}\n`;
}
