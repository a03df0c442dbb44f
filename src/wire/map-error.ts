// W9: what a plugin says went wrong, in gum's own vocabulary. The table is the whole rule.
import type { ErrorCode } from "../base/error-codes.ts";
import { GumError } from "../base/errors.ts";
import type { PluginLocalError } from "../model/session.ts";
import { cut, escapeControls } from "./text.ts";

interface Mapping {
  readonly code: ErrorCode;
  readonly keepsRetryable: boolean;
  readonly keepsRetryAfter: boolean;
}

const table: Readonly<Record<string, Mapping>> = {
  RATE_LIMIT: { code: "RATE_LIMITED", keepsRetryable: true, keepsRetryAfter: true },
  AUTH_EXPIRED: { code: "AUTH_REQUIRED", keepsRetryable: false, keepsRetryAfter: false },
  PARSE_FAILURE: { code: "SERVICE_DOWN", keepsRetryable: true, keepsRetryAfter: false },
  SERVICE_DOWN: { code: "SERVICE_DOWN", keepsRetryable: true, keepsRetryAfter: true },
  INVALID_INPUT: { code: "INVALID_ARGS", keepsRetryable: false, keepsRetryAfter: false },
};

/** Stable gum codes belong here too: a plugin may not speak them. */
const anythingElse: Mapping = { code: "SERVICE_DOWN", keepsRetryable: false, keepsRetryAfter: false };

const messageLimit = 2000;
const codeLimit = 200;

/** The stable error for a plugin-local one. */
export function mapPluginError(said: PluginLocalError): GumError {
  const { code, keepsRetryable, keepsRetryAfter } = mappingOf(said);
  const wait = keepsRetryAfter && (said.retryAfterMs ?? 0) > 0 ? said.retryAfterMs : undefined;
  return new GumError(code, messageOf(said), {
    retryable: keepsRetryable && said.retryable,
    retryAfterMs: wait,
    sourceErrorCode: said.code === null ? null : cut(escapeControls(said.code), codeLimit),
  });
}

function mappingOf({ code, tableCode, stable }: PluginLocalError): Mapping {
  if (stable !== undefined) return { ...anythingElse, code: stable };
  const name = tableCode ?? code;
  const mapping = name !== null && Object.hasOwn(table, name) ? table[name] : undefined;
  return mapping ?? anythingElse;
}

function messageOf(said: PluginLocalError): string {
  const message = cut(escapeControls(said.message).trim(), messageLimit);
  if (message !== "") return message;
  return said.code === null
    ? "The plugin failed without a message."
    : "The plugin gave a code and no message.";
}
