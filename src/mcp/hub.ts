import type { Warning } from "../base/errors.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { type Offers, openOffers } from "../kernel/offers.ts";
import { type GumServer, openServer } from "../kernel/server.ts";
import { openCanaries, type ServerCanaries } from "../kernel/server-status.ts";
import { watchRegistry } from "../kernel/watch.ts";
import type { MessageParams } from "../model/session.ts";

export const logLevels = ["debug", "info", "warning", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

/** A connected client, as far as the whole server talks to it. */
export interface Subscriber {
  changed(change: { readonly operations: boolean }): void;
  log(level: LogLevel, logger: string, text: string): void;
  /** Something that a plugin said by itself. */
  heard(plugin: string, method: string, params: MessageParams): void;
}

/** What all clients of one server process share. */
export interface Hub {
  readonly server: GumServer;
  readonly offers: Offers;
  readonly canaries: ServerCanaries;
  readonly exposeTools: boolean;
  readonly clients: Set<Subscriber>;
  warn(warning: Warning): void;
  close(): Promise<void>;
}

export interface HubOptions {
  readonly exposeTools: boolean;
}

/** Running calls get this long when the server ends (S9). */
const graceMs = 2000;

/** Starts the server behind all front ends. */
export async function openHub(opened: Kernel, { exposeTools }: HubOptions): Promise<Hub> {
  const clients = new Set<Subscriber>();
  const tell = (level: LogLevel, text: string): void => {
    for (const client of clients) client.log(level, "gum", text);
  };
  const { host } = opened;
  const log = {
    level: host.log.level,
    debug(message: string) {
      host.log.debug(message);
      tell("debug", message);
    },
    info(message: string) {
      host.log.info(message);
      tell("info", message);
    },
    warn(message: string) {
      host.log.warn(message);
      tell("warning", message);
    },
  };
  const server = await openServer(
    { ...opened, host: { ...host, log } },
    {
      onNotification(plugin, method, params) {
        for (const client of clients) client.heard(plugin, method, params);
      },
    },
  );
  void watchRegistry(server, (change) => {
    for (const client of clients) client.changed(change);
  });
  return {
    server,
    offers: openOffers(server),
    canaries: openCanaries(server),
    exposeTools,
    clients,
    warn: ({ message }) => log.warn(message),
    close: () => server.close(graceMs),
  };
}
