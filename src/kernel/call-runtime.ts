import type { CallRuntime, CallSettings, SessionSource } from "../model/call-runtime.ts";
import type { ConfigValues } from "../model/config-keys.ts";
import type { Registry } from "../model/registry.ts";
import type { Session } from "../model/session.ts";
import { rememberedRegistry } from "../registry/remembered.ts";
import { statusOf } from "../registry/rows.ts";
import { type Snapshot, seenThrough, shrink, statusIn } from "../registry/snapshot.ts";
import { createSchemaChecker } from "../wire/schema-check.ts";
import { startSchemaChild } from "../wire/start-schema-child.ts";
import { activeRegistry } from "./activation.ts";
import type { Kernel } from "./kernel.ts";

/** What calls run with, until it is closed. */
export interface OpenRuntime extends CallRuntime {
  close(): Promise<void>;
}

/** For one command: what is installed is active, and a plugin's process ends with the call. */
export async function openCommandRuntime(kernel: Kernel): Promise<OpenRuntime> {
  const active = await activeRegistry(kernel);
  return openRuntime(kernel, {
    sessions: oneCallEach,
    registry: async () => active,
    statusOf(registry, plugin) {
      const row = registry.state.plugins.find(({ name }) => name === plugin);
      return row === undefined ? undefined : statusOf(row);
    },
  });
}

/** For a server: what was active at its start, less what has been removed or quarantined since (R13). */
export function openServerRuntime(kernel: Kernel, snapshot: Snapshot, sessions: SessionSource): OpenRuntime {
  return openRuntime(kernel, { sessions, ...registryThrough(kernel, snapshot) });
}

/** The registry and the statuses that a process sees through the snapshot it took. */
export function registryThrough(
  { host, profile }: Kernel,
  taken: Snapshot,
): Pick<CallRuntime, "registry" | "statusOf"> {
  let snapshot = taken;
  let last: { readonly now: Registry; readonly seen: Registry } | undefined;
  return {
    async registry() {
      const now = await rememberedRegistry(host, profile);
      if (last?.now === now) return last.seen;
      snapshot = shrink(snapshot, now);
      last = { now, seen: seenThrough(snapshot, now) };
      return last.seen;
    },
    statusOf: (registry, plugin) => statusIn(snapshot, registry, plugin),
  };
}

function openRuntime(
  { host, config }: Kernel,
  parts: Pick<CallRuntime, "sessions" | "registry" | "statusOf">,
): OpenRuntime {
  const schemas = createSchemaChecker(host.clock, { startChild: () => startSchemaChild(host) });
  return { ...parts, schemas, settings: settingsOf(config), warned: new Set(), close: () => schemas.close() };
}

function settingsOf(config: ConfigValues): CallSettings {
  return {
    strictResults: config["dispatch.strict_results"],
    connectTimeoutMs: config["dispatch.connect_timeout_ms"],
    callTimeoutMs: config["dispatch.call_timeout_ms"],
    allowLongerTimeouts: config["dispatch.allow_longer_timeouts"],
  };
}

/** A command's sessions: started for one call. The plugin is told to end as soon as it has answered. */
const oneCallEach: SessionSource = {
  borrow: async () => undefined,
  async open(_, signal, start) {
    const session = await start(signal);
    const call: Session["call"] = async (tool, args, options) => {
      try {
        return await session.call(tool, args, options);
      } finally {
        session.close().catch(() => undefined); // `release` waits for the same end, and tells
      }
    };
    return { session: { ...session, call }, release: () => session.close() };
  },
};
