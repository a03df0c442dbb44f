import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { setInJsonc } from "../../src/cli/clients/jsonc-edit.ts";
import { clientNames, clients, placesOf } from "../../src/cli/clients/table.ts";
import { setInToml } from "../../src/cli/clients/toml-edit.ts";
import { cliSchemas } from "../../src/cli/schemas.ts";
import { gum } from "../cli/world.ts";
import { createFakeHost } from "../fakes/fake-host.ts";

const entry = { command: "/usr/bin/gum", args: ["mcp", "--stdio"] };

async function written(
  client: string,
  path: string,
  before: string | undefined,
  flags: readonly string[] = [],
) {
  const files = before === undefined ? {} : { [path]: before };
  const told = await gum(["setup", client, "--write", "--json", ...flags], { files });
  const answer =
    told.code === 0 ? v.parse(cliSchemas["cli/setup.v1"] ?? v.never(), JSON.parse(told.out)) : told.out;
  const after = await told.host.files.readText(path).catch(() => undefined);
  return { told, answer: answer as Record<string, unknown>, after };
}

describe("gum setup", () => {
  test("each client gets its own form, which starts this very program", async () => {
    const printed = new Map<string, string>();
    for (const name of clientNames) {
      const { code, out } = await gum(["setup", name]);
      expect([name, code]).toEqual([name, 0]);
      printed.set(name, out);
    }
    const parsed = (name: string) => JSON.parse(printed.get(name) ?? "");
    for (const name of ["claude-desktop", "cursor", "windsurf", "gemini-cli", "generic"]) {
      expect(parsed(name)).toEqual({ mcpServers: { gum: entry } });
    }
    expect(parsed("claude-code")).toEqual({ mcpServers: { gum: { type: "stdio", ...entry } } });
    expect(parsed("vscode")).toEqual({ servers: { gum: { type: "stdio", ...entry } } });
    expect(parsed("zed")).toEqual({ context_servers: { gum: { source: "custom", ...entry } } });
    expect(printed.get("codex")).toBe(
      '[mcp_servers.gum]\ncommand = "/usr/bin/gum"\nargs = ["mcp", "--stdio"]\n',
    );
    const { out } = await gum(["setup", "generic", "--expose-tools", "--profile", "work"]);
    expect(JSON.parse(out).mcpServers.gum.args).toEqual([
      "mcp",
      "--stdio",
      "--expose-tools",
      "--profile",
      "work",
    ]);
  });

  test("files lie where each system keeps them", () => {
    const host = createFakeHost();
    const at = (platform: string, env: Record<string, string> = {}) => {
      const places = placesOf({ ...host, env, machine: { ...host.machine, platform, home: "/home/user" } });
      return [clients["claude-desktop"], clients.vscode, clients.zed, clients.codex].map(({ path }) =>
        path(places),
      );
    };
    expect(at("linux")).toEqual([
      "/home/user/.config/Claude/claude_desktop_config.json",
      "/home/user/.config/Code/User/mcp.json",
      "/home/user/.config/zed/settings.json",
      "/home/user/.codex/config.toml",
    ]);
    expect(at("linux", { XDG_CONFIG_HOME: "/cfg" })[1]).toBe("/cfg/Code/User/mcp.json");
    expect(at("darwin")).toEqual([
      "/home/user/Library/Application Support/Claude/claude_desktop_config.json",
      "/home/user/Library/Application Support/Code/User/mcp.json",
      "/home/user/.config/zed/settings.json",
      "/home/user/.codex/config.toml",
    ]);
    expect(at("win32", { APPDATA: "C:/Users/u/AppData/Roaming" })[0]).toBe(
      "C:/Users/u/AppData/Roaming/Claude/claude_desktop_config.json",
    );
  });

  test("--write makes the file, and keeps what is in it with its comments, after a backup", async () => {
    const path = "/home/user/.config/zed/settings.json";
    const fresh = await written("zed", path, undefined);
    expect(fresh.answer).toMatchObject({ written: true, changed: true, backup: null, path });
    expect(JSON.parse(fresh.after ?? "")).toEqual({
      context_servers: { gum: { source: "custom", ...entry } },
    });

    const before = `// my settings
{
    "theme": "One Dark", // dark, please
    "context_servers": {
        /* from work */
        "other": { "command": "x", "args": ["a,b"] }, // keep
    },
    "vim_mode": true
}
`;
    const merged = await written("zed", path, before);
    expect(merged.after).toBe(`// my settings
{
    "theme": "One Dark", // dark, please
    "context_servers": {
        /* from work */
        "other": { "command": "x", "args": ["a,b"] }, // keep
        "gum": {
            "source": "custom",
            "command": "/usr/bin/gum",
            "args": [
                "mcp",
                "--stdio"
            ]
        }
    },
    "vim_mode": true
}
`);
    const backup = String(merged.answer.backup);
    expect(backup).toStartWith(`${path}.gum-backup-`);
    expect(await merged.told.host.files.readText(backup)).toBe(before);
    const again = await written("zed", path, merged.after);
    expect([again.answer.changed, again.answer.backup, again.after]).toEqual([false, null, merged.after]);
  });

  test("an entry of gum's own is brought up to date, and what the user added to it stays", async () => {
    const path = "/home/user/.cursor/mcp.json";
    const before =
      '{"mcpServers":{"gum":{"command":"/old/gum","args":[],"env":{"A":"b"}},"z":{"url":"http://x"}},"k":1}';
    const { after } = await written("cursor", path, before);
    expect(JSON.parse(after ?? "")).toEqual({
      mcpServers: { gum: { ...entry, env: { A: "b" } }, z: { url: "http://x" } },
      k: 1,
    });
  });

  test("a TOML file keeps its comments and other tables", async () => {
    const path = "/home/user/.codex/config.toml";
    const before = `model = "x" # the good one

[mcp_servers.gum] # mine
command = "/old/gum"
startup_timeout_sec = 20

[mcp_servers.other]
command = "y"
`;
    const { after } = await written("codex", path, before);
    expect(after).toBe(`model = "x" # the good one

[mcp_servers.gum] # mine
command = "/usr/bin/gum"
args = ["mcp", "--stdio"]
startup_timeout_sec = 20

[mcp_servers.other]
command = "y"
`);
    const added = await written("codex", path, 'model = "x"');
    expect(added.after).toBe(
      'model = "x"\n\n[mcp_servers.gum]\ncommand = "/usr/bin/gum"\nargs = ["mcp", "--stdio"]\n',
    );
  });

  test("a file that cannot be changed safely is left as it is", async () => {
    const cases: [string, string, string][] = [
      ["cursor", "/home/user/.cursor/mcp.json", "{ not json"],
      ["cursor", "/home/user/.cursor/mcp.json", "[]"],
      ["cursor", "/home/user/.cursor/mcp.json", '{"mcpServers": []}'],
      ["cursor", "/home/user/.cursor/mcp.json", '{"a": 1, "a": 2}'],
      ["codex", "/home/user/.codex/config.toml", "x = ["],
      ["codex", "/home/user/.codex/config.toml", 'mcp_servers = { gum = { command = "x" } }\n'],
      ["codex", "/home/user/.codex/config.toml", '[mcp_servers.gum]\ncommand = "x"\nargs = [\n  "a",\n]\n'],
    ];
    for (const [client, path, before] of cases) {
      const { told, after } = await written(client, path, before);
      expect([before, told.code, JSON.parse(told.out).error_code, after]).toEqual([
        before,
        2,
        "CONFIG_INVALID",
        before,
      ]);
      expect(await told.host.files.list(path.replace(/\/[^/]+$/, ""))).toHaveLength(1);
    }
  });

  test("a client without a file of its own needs --file, and an unknown one gets the nearest name", async () => {
    expect((await gum(["setup", "generic", "--write"])).code).toBe(2);
    const { after } = await written("generic", "/home/user/mcp.json", undefined, ["--file", "mcp.json"]);
    expect(JSON.parse(after ?? "")).toEqual({ mcpServers: { gum: entry } });
    const unknown = await gum(["setup", "cursr"]);
    expect([unknown.code, unknown.err.includes("cursor")]).toEqual([2, true]);
  });
});

describe("editing text", () => {
  test("a member is inserted whatever the object looks like", () => {
    const set = (text: string) => JSON.parse(stripped(setInJsonc(text, "s", "n", 1)));
    for (const text of [
      "",
      "  \n",
      "{}",
      "{ }",
      '{"s":{}}',
      '{"s":{"m":2}}',
      '{"s":{"m":2,},}',
      '{"a":"}//,"}',
    ]) {
      expect(set(text).s.n).toBe(1);
    }
    expect(setInJsonc('{"s": {"m": 2 // two, or not\n}}', "s", "n", 1)).toContain("2, // two, or not\n");
    expect(setInJsonc('\ufeff{"a":1}', "s", "n", 1)).toStartWith('\ufeff{"a":1,');
  });

  test("a table is found however its header is written", () => {
    for (const header of ["[s.n]", '[ s . "n" ]', "['s'.n] # x"]) {
      expect(setInToml(`${header}\ncommand = "old"\n`, "s", "n", { command: "new" })).toBe(
        `${header}\ncommand = "new"\n`,
      );
    }
  });
});

function stripped(text: string): string {
  return text.replace(/,(\s*[}\]])/g, "$1");
}
