import type { CallRequest } from "../model/call.ts";
import type { SuccessEnvelope } from "../model/envelope.ts";
import { activeRegistry } from "./activation.ts";
import type { Kernel } from "./kernel.ts";
import { given, run } from "./run.ts";

/** Makes one call through the dispatch pipeline; failures are thrown. */
export async function callTool(kernel: Kernel, request: CallRequest): Promise<SuccessEnvelope> {
  const { clock } = kernel.host;
  const start = clock.monotonic();
  await activeRegistry(kernel);
  const { state } = await run(kernel, "dispatch", { profile: kernel.profile, request });
  const { variant, lock } = given(state, "resolved");
  const success = given(state, "payload");
  return {
    success: true,
    payload: success.payload,
    text: success.text,
    meta: {
      op_id: variant.op_id,
      variant_id: variant.variant_id,
      plugin: lock.name,
      version: lock.version,
      duration_ms: Math.round(clock.monotonic() - start),
    },
  };
}
