import type { CallRuntime } from "../model/call-runtime.ts";
import type { Question } from "../model/question.ts";
import type { Kernel } from "./kernel.ts";
import { given, run } from "./run.ts";

/** Asks a plugin for a prompt, a resource or what it offers; failures are thrown. */
export async function askWith(kernel: Kernel, runtime: CallRuntime, question: Question): Promise<unknown> {
  const { state } = await run(kernel, "ask", { profile: kernel.profile, question, runtime });
  return given(state, "reply");
}
