// Which file each MCP client reads, and how a server stands in it. Paths and keys are those of the clients' own manuals.
import type { Host } from "../context.ts";

/** How gum is started, as a client has to do it. */
export interface StartCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export interface ClientFacts {
  readonly title: string;
  readonly format: "json" | "toml";
  /** Where the servers stand in the file. */
  readonly key: string;
  /** What a server's entry has beside command and args. */
  readonly extra?: Readonly<Record<string, string>>;
  /** Undefined where the user has to choose a file. */
  path?(places: Places): string;
  /** What to do after the file was written. */
  readonly next: string;
}

/** Folders that clients keep their settings in. */
export interface Places {
  readonly home: string;
  /** Where applications keep their settings on this system. */
  readonly settings: string;
}

/** The folders of the user on this system. */
export function placesOf({ machine, env }: Host): Places {
  const { home, platform } = machine;
  if (platform === "darwin") return { home, settings: `${home}/Library/Application Support` };
  if (platform === "win32") return { home, settings: env.APPDATA ?? `${home}/AppData/Roaming` };
  return { home, settings: env.XDG_CONFIG_HOME || `${home}/.config` };
}

export const clients = {
  "claude-desktop": {
    title: "Claude Desktop",
    format: "json",
    key: "mcpServers",
    path: ({ settings }) => `${settings}/Claude/claude_desktop_config.json`,
    next: "quit and start Claude Desktop",
  },
  "claude-code": {
    title: "Claude Code",
    format: "json",
    key: "mcpServers",
    extra: { type: "stdio" },
    path: ({ home }) => `${home}/.claude.json`,
    next: "start a new session; /mcp shows the server",
  },
  cursor: {
    title: "Cursor",
    format: "json",
    key: "mcpServers",
    path: ({ home }) => `${home}/.cursor/mcp.json`,
    next: "turn the server on in Cursor's settings",
  },
  vscode: {
    title: "Visual Studio Code",
    format: "json",
    key: "servers",
    extra: { type: "stdio" },
    path: ({ settings }) => `${settings}/Code/User/mcp.json`,
    next: "run the command `MCP: List Servers` and start it",
  },
  zed: {
    title: "Zed",
    format: "json",
    key: "context_servers",
    extra: { source: "custom" },
    path: ({ home, settings }) =>
      settings.startsWith(`${home}/Library`)
        ? `${home}/.config/zed/settings.json`
        : `${settings}/zed/settings.json`,
    next: "the agent panel's settings show the server",
  },
  windsurf: {
    title: "Windsurf",
    format: "json",
    key: "mcpServers",
    path: ({ home }) => `${home}/.codeium/windsurf/mcp_config.json`,
    next: "refresh the list of plugins in Cascade",
  },
  codex: {
    title: "Codex",
    format: "toml",
    key: "mcp_servers",
    path: ({ home }) => `${home}/.codex/config.toml`,
    next: "start a new session",
  },
  "gemini-cli": {
    title: "Gemini CLI",
    format: "json",
    key: "mcpServers",
    path: ({ home }) => `${home}/.gemini/settings.json`,
    next: "start a new session; /mcp shows the server",
  },
  generic: {
    title: "any other client",
    format: "json",
    key: "mcpServers",
    next: "put it where the client's manual says",
  },
} as const satisfies Record<string, ClientFacts>;

export type ClientName = keyof typeof clients;

/** The names that `gum setup` knows. */
export const clientNames = Object.keys(clients).filter(isClientName);

function isClientName(name: string): name is ClientName {
  return Object.hasOwn(clients, name);
}

/** What stands for gum in the client's file. */
export function entryFor({ extra }: ClientFacts, { command, args }: StartCommand): Record<string, unknown> {
  return { ...extra, command, args: [...args] };
}
