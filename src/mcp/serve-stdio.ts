import type { Kernel } from "../kernel/kernel.ts";
import { openClientSession } from "./client-session.ts";
import { type HubOptions, openHub } from "./hub.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** Serves one client on standard input and output, until it closes its end or gum is told to end (S9). */
export async function serveStdio(kernel: Kernel, options: HubOptions): Promise<void> {
  const { host, config, signal } = kernel;
  const { input, output } = host.terminal.streams();
  const transport = new StdioTransport(input, output, config["wire.max_message_bytes"]);
  const hub = await openHub(kernel, options);
  try {
    await openClientSession(hub, transport);
    await Promise.race([transport.ended, aborted(signal)]);
  } finally {
    // Answers of calls that end in time still go out; the conversation is closed after them.
    await hub.close();
    await Promise.race([transport.flushed(), host.clock.sleep(flushMs)]);
    await transport.close();
  }
}

const flushMs = 1000;

/** Settles when gum is told to end. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
