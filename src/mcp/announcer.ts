// What a client is told without having asked: changes of lists, log messages it wants, updates it subscribed to.
import type { MessageParams } from "../model/session.ts";
import type { Line } from "./client-peer.ts";
import type { Hub, Subscriber } from "./hub.ts";
import { pluginResourceUri } from "./uris.ts";

/** The levels of MCP's logging, from the least to the gravest. */
const levels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

export interface Announcer extends Subscriber {
  /** The least level that the client wants; false when there is no such level. */
  setLevel(level: string): boolean;
  readonly level: string | undefined;
  readonly subscriptions: Set<string>;
  heardOn(plugin: string, method: string, params: MessageParams, line: Line): void;
}

const maxSubscriptions = 1000;
/** A plugin that floods its log must not flood the client. */
const logsPerSecond = 200;

/** Tells one client. */
export function createAnnouncer(hub: Hub, standing: Line): Announcer {
  let least: string | undefined;
  const subscriptions = new Set<string>();
  const wants = (level: string): boolean =>
    least !== undefined && levels.indexOf(level) >= levels.indexOf(least);
  const mayLog = atMost(logsPerSecond, hub.server.kernel.host.clock);
  const tell = (line: Line, method: string, params?: MessageParams): void => void line.notify(method, params);
  const heardOn: Announcer["heardOn"] = (plugin, method, params, line) => {
    if (method === "notifications/message") {
      const level = String(params?.level);
      if (wants(level) && mayLog()) tell(line, method, { ...params, logger: `plug.${plugin}` });
    } else if (method === "notifications/resources/updated") {
      const uri = pluginResourceUri(plugin, String(params?.uri));
      if (subscriptions.has(uri)) tell(line, method, { ...params, uri });
    } else if (/^notifications\/(prompts|resources)\/list_changed$/.test(method)) {
      void hub.offers.forget(plugin).then(() => tell(standing, method));
    } else if (method === "notifications/tools/list_changed" && hub.exposeTools) tell(standing, method);
    else if (method === "notifications/elicitation/complete") tell(line, method, params);
  };
  return {
    subscriptions,
    get level() {
      return least;
    },
    setLevel(level) {
      if (!levels.includes(level)) return false;
      least = level;
      return true;
    },
    changed({ operations }) {
      if (operations && hub.exposeTools) tell(standing, "notifications/tools/list_changed");
      if (operations) tell(standing, "notifications/prompts/list_changed");
      tell(standing, "notifications/resources/list_changed");
      for (const uri of subscriptions) {
        if (!uri.includes("/resource/")) tell(standing, "notifications/resources/updated", { uri });
      }
    },
    log(level, logger, text) {
      if (wants(level)) tell(standing, "notifications/message", { level, logger, data: text });
    },
    heard: (plugin, method, params) => heardOn(plugin, method, params, standing),
    heardOn,
  };
}

/** Whether one more subscription fits. */
export function maySubscribe({ subscriptions }: Announcer): boolean {
  return subscriptions.size < maxSubscriptions;
}

/** Says yes so many times a second. */
function atMost(perSecond: number, clock: Hub["server"]["kernel"]["host"]["clock"]): () => boolean {
  let second = 0;
  let said = 0;
  return () => {
    const now = Math.floor(clock.monotonic() / 1000);
    if (now !== second) [second, said] = [now, 0];
    return ++said <= perSecond;
  };
}
