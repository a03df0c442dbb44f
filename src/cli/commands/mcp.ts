import type { Kernel } from "../../kernel/kernel.ts";
import { defineCommand } from "../command.ts";
import { pipelinesFlag } from "../flags.ts";
import { usage } from "../parse.ts";

const name = "mcp";

export const mcp = defineCommand({
  name,
  summary: "Serve every active plugin to MCP clients.",
  examples: [
    "gum mcp --stdio",
    "gum mcp --http 127.0.0.1:8765",
    "gum mcp --http 0.0.0.0:8765 --token-file token.txt --allow-host gum.example.com",
    "gum mcp --stdio --expose-tools",
  ],
  args: {},
  flags: {
    stdio: { kind: "switch", summary: "Serve one client on standard input and output." },
    http: {
      kind: "text",
      value: "host:port",
      summary: "Serve Streamable HTTP at /mcp; port 0 takes a free one.",
    },
    "expose-tools": { kind: "switch", summary: "Show each plugin tool as a tool of its own." },
    "token-file": { kind: "text", value: "file", summary: "A file (0600) with the bearer token for --http." },
    "allow-host": {
      kind: "text",
      value: "name",
      repeated: true,
      summary: "A further Host header to accept over HTTP, such as a proxy's.",
    },
    "allow-origin": {
      kind: "text",
      value: "origin",
      repeated: true,
      summary: "An Origin of web pages that may connect over HTTP.",
    },
    "max-sessions": {
      kind: "whole",
      least: 1,
      most: 10_000,
      summary: "How many HTTP sessions may be open (64).",
    },
    "session-idle": { kind: "duration", summary: "After how long an unused HTTP session is closed (30m)." },
    ...pipelinesFlag,
  },
  async run({ flags }, context) {
    if (flags.stdio === (flags.http !== undefined)) {
      throw usage(name, "Say either --stdio or --http <host:port>");
    }
    const address = flags.http === undefined ? undefined : readAddress(flags.http);
    const kernel = await context.kernel({ pipelines: flags.pipelines });
    const exposeTools = flags["expose-tools"];
    if (address === undefined) {
      refuseHttpFlags(flags);
      const { serveStdio } = await import("../../mcp/serve-stdio.ts");
      await serveStdio(kernel, { exposeTools });
      return 0;
    }
    const { serveHttp } = await import("../../mcp/serve-http.ts");
    await serveHttp(kernel, {
      exposeTools,
      ...address,
      tokenFile: await pathOf(kernel, flags["token-file"]),
      allowedHosts: flags["allow-host"],
      allowedOrigins: flags["allow-origin"],
      maxSessions: flags["max-sessions"] ?? 64,
      idleMs: flags["session-idle"] ?? 30 * 60_000,
      onListening: (url) => kernel.host.terminal.err(`gum: serving MCP at ${url}\n`),
    });
    return 0;
  },
});

function refuseHttpFlags(flags: Readonly<Record<string, unknown>>): void {
  for (const flag of ["token-file", "allow-host", "allow-origin", "max-sessions", "session-idle"]) {
    const value = flags[flag];
    if (value !== undefined && !(Array.isArray(value) && value.length === 0)) {
      throw usage(name, `The flag --${flag} is for --http`);
    }
  }
}

/** `127.0.0.1:8765`, `[::1]:8765` or `:8765`, which is loopback. */
function readAddress(text: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, digits] = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) {
    throw usage(name, `The address "${text}" is not host:port`, "write it like 127.0.0.1:8765");
  }
  return { host: bracketed ?? (plain || "127.0.0.1"), port };
}

async function pathOf({ host }: Kernel, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const { resolve } = await import("node:path/posix");
  return resolve(host.machine.cwd, file);
}
