import type { Warning } from "../base/errors.ts";
import type { CallRequest } from "../model/call.ts";
import type { CacheLookup, CallRuntime } from "../model/call-runtime.ts";
import type { SuccessEnvelope } from "../model/envelope.ts";
import { openCommandRuntime } from "./call-runtime.ts";
import type { Kernel } from "./kernel.ts";
import { given, run } from "./run.ts";

/** Makes one call through the dispatch pipeline, as a command does; failures are thrown. */
export async function callTool(
  kernel: Kernel,
  request: CallRequest,
  onWarning?: (warning: Warning) => void,
): Promise<SuccessEnvelope> {
  const runtime = await openCommandRuntime(kernel);
  try {
    return await callWith(kernel, runtime, request, onWarning);
  } finally {
    await runtime.close();
  }
}

/** Makes one call with what the process has for all of its calls. */
export async function callWith(
  kernel: Kernel,
  runtime: CallRuntime,
  request: CallRequest,
  onWarning?: (warning: Warning) => void,
): Promise<SuccessEnvelope> {
  const { clock } = kernel.host;
  const start = clock.monotonic();
  const input = { profile: kernel.profile, request, runtime };
  const { state } = await run(kernel, "dispatch", input, { onWarning });
  const { variant, lock, metadataWarning } = given(state, "resolved");
  const success = given(state, "payload");
  return {
    success: true,
    payload: success.payload,
    text: success.text,
    content: success.content,
    meta: {
      op_id: variant.op_id,
      variant_id: variant.variant_id,
      plugin: lock.name,
      version: lock.version,
      duration_ms: Math.round(clock.monotonic() - start),
      ...cacheMeta(given(state, "cached")),
      ...(metadataWarning === undefined ? {} : { metadata_warning: metadataWarning }),
    },
  };
}

/** `_cache` stands only on answers that could have been remembered ones. */
function cacheMeta(cached: CacheLookup): { _cache?: "hit" | "miss" } {
  return cached.use === "off" ? {} : { _cache: cached.use };
}
