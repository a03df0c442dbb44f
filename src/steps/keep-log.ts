import { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { PreparedStart } from "../model/prepared-start.ts";
import type { Profile } from "../model/profile.ts";
import type { Session } from "../model/session.ts";
import { keepPluginLog } from "../registry/plugin-logs.ts";
import { escapeControls } from "../wire/text.ts";

/** A start whose stderr is kept for `gum plugin logs` when the session is over, or when it never began. */
export function keepLog<E>(
  host: Host,
  profile: Profile,
  plugin: string,
  start: PreparedStart<E>["start"],
): PreparedStart<E>["start"] {
  const keep = async (text: string): Promise<void> => {
    if (text !== "") await keepPluginLog(host, profile, plugin, escapeControls(text));
  };
  return async (options) => {
    try {
      return keptSession(await start(options), keep);
    } catch (error) {
      const tail = error instanceof GumError ? error.info.details?.stderr_tail : undefined;
      if (typeof tail === "string") await keep(tail);
      throw error;
    }
  };
}

function keptSession(session: Session, keep: (text: string) => Promise<void>): Session {
  let kept: Promise<void> | undefined;
  const keepOnce = (): Promise<void> => {
    kept ??= keep(session.stderrTail?.() ?? "");
    return kept;
  };
  // A plugin that died is not closed by anybody; whoever closes it anyway hears of a fault.
  session.over?.then(keepOnce).catch(() => undefined);
  return {
    ...session,
    async close() {
      await session.close();
      await keepOnce();
    },
  };
}
