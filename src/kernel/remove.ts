import type { RemoveAnswer } from "./answers.ts";
import type { Kernel } from "./kernel.ts";
import { given, run } from "./run.ts";

/** Takes a plugin out of the registry; its namespace claim and its data stay. */
export async function removePlugin(kernel: Kernel, id: string): Promise<RemoveAnswer> {
  const { state } = await run(kernel, "remove", { profile: kernel.profile, pluginId: id });
  return { ok: true, plugin: given(state, "installed").name, generation: given(state, "generation") };
}
