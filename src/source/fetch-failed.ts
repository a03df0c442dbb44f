import { GumError } from "../base/errors.ts";

/** The refusal of a source that cannot be read, with the reason as the rest of the sentence. */
export function fetchFailed(
  from: string,
  why: string,
  cause?: unknown,
  more: { readonly hint?: string | undefined; readonly status?: number } = {},
): GumError {
  return new GumError("PLUGIN_FETCH_FAILED", `The plugin cannot be fetched from ${from}: ${why}.`, {
    hint: more.hint,
    details: { from, ...(more.status === undefined ? {} : { status: more.status }) },
    cause,
  });
}

const faults: readonly (readonly [pattern: RegExp, says: string])[] = [
  [/ENOTFOUND|EAI_AGAIN|dns error/i, "the host is not known"],
  [/ECONNREFUSED|ConnectionRefused|connection refused/i, "the connection was refused"],
  [
    /ECONNRESET|ConnectionClosed|connection (?:was )?(?:closed|reset)|socket (?:hang up|connection was closed)/i,
    "the connection broke off",
  ],
  [/ENETUNREACH|EHOSTUNREACH|ENETDOWN/i, "there is no way to the host"],
  [/ETIMEDOUT|timed? ?out/i, "the host did not answer"],
  [/CERT|certificate|self.signed|UnknownIssuer|UNABLE_TO_/i, "its certificate is not trusted"],
];

/** A fault of the network in plain words; the runtimes differ in theirs. */
export function describeFault(error: unknown): string {
  const texts: string[] = [];
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++)
    texts.push("code" in at ? String(at.code) : "", at.message);
  const said = texts.join(" ");
  return faults.find(([pattern]) => pattern.test(said))?.[1] ?? "the connection failed";
}
