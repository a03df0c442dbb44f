import type { CallRuntime } from "../model/call-runtime.ts";
import type { Offer, Question } from "../model/question.ts";
import { openCommandRuntime } from "./call-runtime.ts";
import type { Kernel } from "./kernel.ts";
import { given, run } from "./run.ts";

/** Asks a plugin for a prompt, a resource or what it offers; failures are thrown. */
export async function askWith(kernel: Kernel, runtime: CallRuntime, question: Question): Promise<unknown> {
  const { state } = await run(kernel, "ask", { profile: kernel.profile, question, runtime });
  return given(state, "reply");
}

/** Asks a plugin as a command does: it is started for the question and ends with the answer. */
export async function askPlugin(kernel: Kernel, question: Question): Promise<unknown> {
  const runtime = await openCommandRuntime(kernel);
  try {
    return await askWith(kernel, runtime, question);
  } finally {
    await runtime.close();
  }
}

/** What the plugin lists beside its tools. */
export async function askOffer(kernel: Kernel, plugin: string): Promise<Offer> {
  const offer = await askPlugin(kernel, { plugin, asks: { method: "offer" } });
  return { prompts: [], resources: [], templates: [], ...Object(offer) };
}
