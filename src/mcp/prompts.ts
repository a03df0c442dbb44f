import { GumError } from "../base/errors.ts";
import { isRecord } from "../base/record.ts";
import { nearestNames } from "../base/suggest.ts";
import type { ServerClient } from "../kernel/server.ts";
import type { Hub } from "./hub.ts";
import type { Result } from "./results.ts";

/** Every prompt of an active plugin, as `plug.<id>.<prompt>`. */
export async function listPrompts({ offers }: Hub, client: ServerClient): Promise<readonly Result[]> {
  return [...(await offers.all(client))].flatMap(([plugin, { prompts }]) =>
    prompts.flatMap((entry) => {
      if (!isRecord(entry) || typeof entry.name !== "string" || entry.name === "") return [];
      return [{ ...entry, name: `plug.${plugin}.${entry.name}` }];
    }),
  );
}

/** Fills in a prompt. */
export async function getPrompt(
  hub: Hub,
  client: ServerClient,
  params: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> },
  signal: AbortSignal,
): Promise<Result> {
  const { plugin, name } = await findPrompt(hub, client, params.name);
  const asks = { method: "prompts/get", params: { name, arguments: params.arguments } } as const;
  const reply = await client.ask({ plugin, asks }, signal);
  if (isRecord(reply) && Array.isArray(reply.messages)) return reply;
  throw new GumError("SERVICE_DOWN", `The plugin "${plugin}" answered without messages.`, {
    retryable: false,
  });
}

/** Which plugin a prompt belongs to, and what it is called there. */
export async function findPrompt(
  hub: Hub,
  client: ServerClient,
  full: string,
): Promise<{ readonly plugin: string; readonly name: string }> {
  const [, plugin, name] = /^plug\.([^.]+)\.(.+)$/s.exec(full) ?? [];
  const { statusOf } = await hub.server.catalog();
  if (plugin !== undefined && name !== undefined && statusOf(plugin) !== undefined) return { plugin, name };
  const known = (await listPrompts(hub, client)).map((prompt) => String(prompt.name));
  throw new GumError("INVALID_ARGS", `There is no prompt "${full}".`, {
    details: { nearest: nearestNames(full, known, 3) },
  });
}
