import { exitCodeOf } from "../base/error-codes.ts";
import { asGumError, type GumError } from "../base/errors.ts";
import { type FailureContext, failureEnvelope } from "../model/envelope.ts";
import type { Host } from "./context.ts";
import { renderError, viewOfError } from "./render-error.ts";

/** What the command line says about errors, read before it is known to be right. */
export interface Wishes {
  readonly json: boolean;
  readonly debug: boolean;
  readonly color: boolean;
}

/** Looks for --json, --log-level debug and --no-color without refusing anything. */
export function wishesOf(words: readonly string[]): Wishes {
  const end = words.indexOf("--");
  const flags = end < 0 ? words : words.slice(0, end);
  const has = (name: string, value: string): boolean =>
    flags.includes(`${name}=${value}`) || flags.some((word, i) => word === name && flags[i + 1] === value);
  return {
    json: flags.includes("--json") || has("--format", "json"),
    debug: has("--log-level", "debug"),
    color: !flags.includes("--no-color"),
  };
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
