// What a server says about itself and about the canaries of its plugins.

import { asGumError, GumError } from "../base/errors.ts";
import { readCanary } from "../registry/canaries.ts";
import type { CanaryAnswer } from "./answers-canary.ts";
import { runCanary } from "./canary.ts";
import type { GumServer } from "./server.ts";

/** The last canary of one plugin. */
export interface CanaryStatus {
  readonly plugin: string;
  /** True until a canary has run since this server started. */
  readonly stale: boolean;
  readonly at: string | null;
  readonly ok: boolean | null;
  readonly latency_ms: number | null;
  readonly code: string | null;
}

/** The canaries of a server: on request, and on an interval where the profile wants that (C11). */
export interface ServerCanaries {
  run(plugin: string, live: boolean): Promise<CanaryAnswer>;
  status(): Promise<CanaryStatus[]>;
}

/** Starts passive canaries when `canary.interval` is set; they end with the server. */
export function openCanaries(server: GumServer): ServerCanaries {
  const { host, profile, config } = server.kernel;
  const fresh = new Map<string, CanaryStatus>();
  const run = async (plugin: string, live: boolean): Promise<CanaryAnswer> => {
    const { statusOf } = await server.current();
    if (statusOf(plugin) === "installed_pending_restart") throw pending(plugin);
    const answer = await runCanary(server.kernel, plugin, { live });
    fresh.set(plugin, statusAfter(answer, new Date(host.clock.now()).toISOString()));
    return answer;
  };
  const intervalMs = config["canary.interval"] * 1000;
  if (intervalMs > 0) void keepTrying(server, intervalMs, (plugin) => run(plugin, false));
  return {
    run,
    async status() {
      const { registry } = await server.current();
      return Promise.all(
        registry.state.plugins.map(async ({ name, last_canary }) => {
          const kept = await readCanary(host, profile, name);
          return fresh.get(name) ?? staleStatus(name, kept ?? last_canary ?? {});
        }),
      );
    },
  };
}

/** One plugin after the other, so that a passive canary never costs more than one process. */
async function keepTrying(
  server: GumServer,
  intervalMs: number,
  tryOne: (plugin: string) => Promise<unknown>,
): Promise<void> {
  const { clock, log } = server.kernel.host;
  while (!server.life.aborted) {
    const { registry, statusOf } = await server.catalog();
    for (const { name } of registry.lock.plugins.filter((row) => statusOf(row.name) === "active")) {
      if (server.life.aborted) return;
      await tryOne(name).catch((error) => log.warn(`canary of ${name}: ${asGumError(error).message}`));
    }
    await clock.sleep(intervalMs, server.life).catch(() => undefined); // the loop ends by itself
  }
}

function statusAfter({ plugin, ok, latency_ms, error }: CanaryAnswer, at: string): CanaryStatus {
  return { plugin, stale: false, at, ok, latency_ms, code: error?.code ?? null };
}

function staleStatus(plugin: string, kept: Readonly<Record<string, unknown>>): CanaryStatus {
  const { at, ok, latency_ms, code } = kept;
  return {
    plugin,
    stale: true,
    at: typeof at === "string" ? at : null,
    ok: typeof ok === "boolean" ? ok : null,
    latency_ms: typeof latency_ms === "number" ? latency_ms : null,
    code: typeof code === "string" ? code : null,
  };
}

function pending(plugin: string): GumError {
  return new GumError(
    "UNSUPPORTED_CAPABILITY",
    `Plugin "${plugin}" was installed after this process started and is not active in it.`,
    { details: { status: "installed_pending_restart" } },
  );
}
