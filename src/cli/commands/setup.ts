import { resolve } from "node:path/posix";
import {
  type ClientFacts,
  clientNames,
  clients,
  entryFor,
  placesOf,
  type StartCommand,
} from "../clients/table.ts";
import { defineCommand } from "../command.ts";
import type { Context, Host } from "../context.ts";
import { usage } from "../parse.ts";

const name = "setup";
const serverName = "gum";

export const setup = defineCommand({
  name,
  summary: "Connect an MCP client to gum: print its configuration, or write it.",
  examples: [
    "gum setup claude-desktop",
    "gum setup vscode --write",
    "gum setup codex --write --expose-tools",
  ],
  args: { client: { summary: "The client.", choices: clientNames } },
  flags: {
    write: { kind: "switch", summary: "Merge it into the client's file, which is copied aside before." },
    file: { kind: "text", value: "file", summary: "Another file than the client's usual one." },
    "expose-tools": { kind: "switch", summary: "Start the server with --expose-tools." },
  },
  async run({ args, flags }, context) {
    const host = await context.host();
    const facts: ClientFacts = clients[args.client];
    const usual = facts.path?.(placesOf(host));
    const path = flags.file === undefined ? usual : resolve(host.machine.cwd, flags.file);
    const entry = entryFor(facts, startCommand(host, context, flags["expose-tools"]));
    const snippet = await snippetOf(facts, entry);
    if (!flags.write) {
      await context.answer(
        {
          client: args.client,
          path: path ?? null,
          written: false,
          changed: false,
          backup: null,
          snippet,
          entry,
        },
        () => snippet,
      );
      await context.note(
        `Put this into ${path ?? "the client's file"}, or add --write; then ${facts.next}.\n`,
      );
      return 0;
    }
    if (path === undefined) throw usage(name, `Say with --file where ${facts.title} keeps its servers`);
    const { mergeEntry } = await import("../clients/merge.ts");
    const merged = await mergeEntry(host, facts, path, serverName, entry);
    await context.answer({ client: args.client, written: true, ...merged, snippet, entry }, () =>
      merged.changed ? `Wrote ${path}.\n` : `${path} says so already.\n`,
    );
    if (merged.backup !== null) await context.note(`The file from before is ${merged.backup}.\n`);
    if (merged.changed) await context.note(`Now ${facts.next}.\n`);
    return 0;
  },
});

/** This very program, by its path: a client's own PATH may be another one. */
function startCommand({ machine }: Host, { globals }: Context, exposeTools: boolean): StartCommand {
  const { file, args } = machine.self;
  const profile = globals.profile === undefined ? [] : ["--profile", globals.profile];
  const exposed = exposeTools ? ["--expose-tools"] : [];
  return { command: file, args: [...args, "mcp", "--stdio", ...exposed, ...profile] };
}

async function snippetOf({ format, key }: ClientFacts, entry: Record<string, unknown>): Promise<string> {
  if (format === "json") return `${JSON.stringify({ [key]: { [serverName]: entry } }, null, 2)}\n`;
  const { setInToml } = await import("../clients/toml-edit.ts");
  return setInToml("", key, serverName, entry);
}
