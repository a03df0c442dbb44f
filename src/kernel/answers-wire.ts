// What a call straight over a line protocol answers. An answer of the program, also an error, is never a failure of the
// host, and the other way round.
import type { ErrorCode } from "../base/error-codes.ts";

interface Told {
  /** Counts the calls from 1. */
  readonly number: number;
  readonly method: string;
  readonly ms: number;
}

export type WireAnswer =
  | (Told & { readonly kind: "result"; readonly result: unknown; readonly metadata?: unknown })
  /** The program's own error, as it said it. */
  | (Told & {
      readonly kind: "error";
      readonly error: { readonly code: number | string; readonly message: string; readonly data?: unknown };
    })
  /** The host got no answer. */
  | (Told & { readonly kind: "failure"; readonly failure: WireFailure });

export interface WireFailure {
  /** As the protocol names it, such as `PluginCrashed` or `handshake_failed`; null for what no protocol names. */
  readonly failure_code: string | null;
  readonly error_code: ErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
  /** -32700 or -32600. */
  readonly rpc_code?: number | undefined;
  /** The line at fault, cut at 4 KiB. */
  readonly raw_line?: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
}
