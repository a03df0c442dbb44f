import type { RemovalRequest } from "../model/setup.ts";
import type { RemoveAnswer } from "./answers.ts";
import type { Kernel } from "./kernel.ts";
import { given, run } from "./run.ts";

/** Takes a plugin out of the registry; its namespace claim stays, and without a purge its data and credentials. */
export async function removePlugin(
  kernel: Kernel,
  id: string,
  removal: RemovalRequest = { yes: true, purge: false, ask: async () => "no-terminal" },
): Promise<RemoveAnswer> {
  const { state } = await run(kernel, "remove", { profile: kernel.profile, pluginId: id, removal });
  const { credentials, data } = given(state, "purged");
  return {
    ok: true,
    plugin: given(state, "installed").name,
    generation: given(state, "generation"),
    purged: removal.purge ? { credentials, data } : null,
  };
}
