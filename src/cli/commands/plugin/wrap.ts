import type { WrapAnswer } from "../../../kernel/answers-wrap.ts";
import { defineCommand } from "../../command.ts";
import { usage } from "../../parse.ts";
import { cellText } from "../../table.ts";
import { tellWarnings } from "../../warnings.ts";

const name = "plugin wrap";

export const wrap = defineCommand({
  name,
  summary: "Make an installable plugin of an existing MCP server.",
  examples: [
    `gum plugin wrap node_modules/@modelcontextprotocol/server-memory --env 'MEMORY_FILE_PATH=\${data}/memory.json'`,
    "gum plugin wrap node_modules/@modelcontextprotocol/server-filesystem --allow-read /srv/docs -- /srv/docs",
    "gum plugin wrap ./venv --bin mcp-server-time --out time-plugin --id clock",
    "gum plugin wrap --owner io.example.notes -- ./notes-server --stdio",
  ],
  args: {
    server: {
      take: "rest",
      summary: "The server's folder and, after --, its arguments; or, after --, its command.",
    },
  },
  flags: {
    out: { kind: "text", value: "dir", summary: "The plugin's folder to make (the plugin's id)." },
    id: { kind: "text", value: "id", summary: "The plugin's id (the name of the package or file)." },
    owner: { kind: "text", value: "owner", summary: "The namespace owner (npm:…, pypi:… or local.…)." },
    bin: { kind: "text", value: "name", summary: "Which program of the package is the server." },
    network: { kind: "switch", summary: "Let the server use the network." },
    "allow-read": { kind: "text", value: "path", repeated: true, summary: "Let the server read this path." },
    "allow-write": {
      kind: "text",
      value: "path",
      repeated: true,
      summary: "Let the server write below this path.",
    },
    "allow-shm": { kind: "switch", summary: "Let the server use shared memory." },
    env: {
      kind: "text",
      value: "name=text",
      repeated: true,
      summary: "A variable with a fixed value; the placeholders data and root are expanded.",
    },
    "env-allow": {
      kind: "text",
      value: "name",
      repeated: true,
      summary: "A variable of yours that reaches the server.",
    },
    tool: {
      kind: "text",
      value: "name",
      repeated: true,
      summary: "Declare this tool, in case the server cannot be started here and now.",
    },
    timeout: { kind: "duration", summary: "How long the server may take to answer (15s)." },
  },
  async run({ args, flags }, context) {
    if (args.server.length === 0) throw usage(name, "Name the server's folder, or its command after --");
    const kernel = await context.kernel();
    const { wrapServer } = await import("../../../kernel/wrap/wrap.ts");
    const answer = await wrapServer(kernel, args.server, {
      out: flags.out,
      id: flags.id,
      owner: flags.owner,
      bin: flags.bin,
      tools: flags.tool,
      network: flags.network,
      grants: {
        read: [...flags["allow-read"]],
        write: [...flags["allow-write"]],
        shm: flags["allow-shm"],
        capabilities: [],
      },
      env: Object.fromEntries(flags.env.map(pairOf)),
      envAllow: flags["env-allow"],
      timeoutMs: flags.timeout ?? 15_000,
    });
    await tellWarnings(answer.warnings, context);
    await context.answer(answer, () => wrapText(answer));
    return 0;
  },
});

function pairOf(word: string): [string, string] {
  const split = word.indexOf("=");
  if (split <= 0) throw usage(name, `The flag --env is name=text, not "${word}"`);
  return [word.slice(0, split), word.slice(split + 1)];
}

function wrapText({ plugin, version, folder, files, tools, left_out, install_command }: WrapAnswer): string {
  const count = (risk: string) => tools.filter(({ risk_class }) => risk_class === risk).length;
  const risks = ["read", "write", "destructive"].map((risk) => `${count(risk)} ${risk}`).join(", ");
  return [
    `Wrapped ${plugin} ${version} in ${folder}: ${many(files, "file")}, ${many(tools.length, "tool")} (${risks}).\n`,
    ...left_out.map((tool) => `Left out ${cellText(tool.name)}: ${cellText(tool.reason)}\n`),
    `Install it with: ${install_command}\n`,
  ].join("");
}

function many(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
