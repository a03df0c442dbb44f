// Twelve servers from npm that nobody here wrote, wrapped and installed by the compiled gum: through gum they list and
// answer as they do directly, call by call. Three more cannot start, and gum says why.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gumBinary } from "../../test/script/scratch.ts";
import { type DirectServer, direct, type Said, saidDirectly } from "./direct.ts";
import { installedServers } from "./installed.ts";

interface Served {
  readonly package: string;
  readonly script: string;
  readonly id: string;
  /** Words after `--` for gum; `DATA` and `DOCS` stand for the folders of each side. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** How it gets at the folder with documents. */
  readonly folder?: "allow-read" | "allow-write";
  readonly calls: readonly (readonly [tool: string, args: object])[];
}

const entity = { name: "Ada", entityType: "person", observations: ["wrote the first program"] };
const thought = { thought: "Once", nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 2 };

const served: readonly Served[] = [
  {
    package: "@modelcontextprotocol/server-everything",
    script: "dist/index.js",
    id: "server-everything",
    calls: [
      ["echo", { message: "grüß dich" }],
      ["get-structured-content", { location: "Chicago" }],
      ["get-annotated-message", { messageType: "error", includeImage: true }],
      ["get-resource-links", { count: 2 }],
    ],
  },
  {
    package: "@modelcontextprotocol/server-filesystem",
    script: "dist/index.js",
    id: "server-filesystem",
    args: ["DOCS"],
    folder: "allow-read",
    calls: [
      ["list_allowed_directories", {}],
      ["list_directory", { path: "DOCS" }],
      ["read_text_file", { path: "DOCS/a.txt" }],
      ["search_files", { path: "DOCS", pattern: "*.txt" }],
      ["read_text_file", { path: "/etc/hostname" }],
    ],
  },
  {
    package: "@modelcontextprotocol/server-memory",
    script: "dist/index.js",
    id: "server-memory",
    env: { MEMORY_FILE_PATH: "DATA/memory.jsonl" },
    calls: [
      ["create_entities", { entities: [entity] }],
      ["search_nodes", { query: "Ada" }],
      ["read_graph", {}],
      ["delete_entities", { entityNames: ["Ada"] }],
      ["read_graph", {}],
    ],
  },
  {
    package: "@modelcontextprotocol/server-sequential-thinking",
    script: "dist/index.js",
    id: "server-sequential-thinking",
    calls: [["sequentialthinking", thought]],
  },
  {
    package: "@kazuph/mcp-taskmanager",
    script: "dist/index.js",
    id: "mcp-taskmanager",
    env: { TASK_MANAGER_FILE_PATH: "DATA/tasks.json" },
    calls: [
      [
        "request_planning",
        { originalRequest: "Tidy", tasks: [{ title: "Sweep", description: "The floor" }] },
      ],
      ["get_next_task", { requestId: "req-1" }],
      ["list_requests", {}],
    ],
  },
  {
    package: "mcp-sequentialthinking-tools",
    script: "dist/index.js",
    id: "mcp-sequentialthinking-tools",
    calls: [
      [
        "sequentialthinking_tools",
        {
          available_mcp_tools: ["echo"],
          thought: "Once",
          next_thought_needed: false,
          thought_number: 1,
          total_thoughts: 1,
        },
      ],
    ],
  },
  {
    package: "@allpepper/memory-bank-mcp",
    script: "dist/main/index.js",
    id: "memory-bank-mcp",
    env: { MEMORY_BANK_ROOT: "DATA/bank" },
    calls: [
      ["memory_bank_write", { projectName: "one", fileName: "notes.md", content: "# Notes" }],
      ["list_projects", {}],
      ["memory_bank_read", { projectName: "one", fileName: "notes.md" }],
    ],
  },
  {
    package: "@itseasy21/mcp-knowledge-graph",
    script: "dist/index.js",
    id: "mcp-knowledge-graph",
    args: ["--memory-path", "DATA/graph.jsonl"],
    calls: [
      ["create_entities", { entities: [entity] }],
      ["open_nodes", { names: ["Ada"] }],
    ],
  },
  {
    package: "mcp-filesystem-server",
    script: "server.js",
    id: "mcp-filesystem-server",
    args: ["DOCS"],
    folder: "allow-write",
    calls: [
      ["write_file", { path: "DOCS/new.txt", content: "written" }],
      ["read_file", { path: "DOCS/new.txt" }],
      ["list_directory", { path: "DOCS" }],
    ],
  },
  {
    package: "@eslint/mcp",
    script: "src/mcp-cli.js",
    id: "eslint-mcp",
    folder: "allow-read",
    calls: [
      ["lint-files", { filePaths: ["DOCS/good.js"] }],
      ["lint-files", { filePaths: ["DOCS/bad.js"] }],
    ],
  },
  {
    package: "mcp-server-commands",
    script: "build/index.js",
    id: "mcp-server-commands",
    calls: [
      ["run_command", { command: "echo out; echo err >&2" }],
      ["run_command", { command: "exit 7" }],
    ],
  },
  {
    package: "mcp-shrimp-task-manager",
    script: "dist/index.js",
    id: "mcp-shrimp-task-manager",
    env: { DATA_DIR: "DATA/tasks" },
    calls: [
      ["list_tasks", { status: "all" }],
      ["query_task", { query: "nothing" }],
    ],
  },
];

/** What a manifest says for the plugin's data folder. */
const placeholder = `$\{data}`;

const scratch = mkdtempSync(join(tmpdir(), "gum-wrapped-"));
const home = join(scratch, "home");
const dataRoot = join(home, ".local/share/gum/default");
let servers = "";

beforeAll(async () => {
  mkdirSync(home);
  servers = await installedServers();
}, 150_000);

afterAll(() => remove(scratch), 120_000);

/** Removes a folder with read-only folders in it, as any user can. */
async function remove(folder: string): Promise<void> {
  await Bun.spawn(["/bin/sh", "-c", 'chmod -R u+w "$0" && rm -rf "$0"', folder]).exited;
}

interface Ran {
  readonly code: number;
  readonly answer: Record<string, unknown>;
}

async function gum(...words: string[]): Promise<Ran> {
  const child = Bun.spawn([gumBinary, ...words], {
    cwd: scratch,
    env: { PATH: process.env.PATH ?? "", HOME: home },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: 60_000,
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const code = await child.exited;
  if (!out.startsWith("{")) throw new Error(`gum ${words.join(" ")} ended with ${code}: ${out}${err}`);
  return { code, answer: JSON.parse(out) };
}

const documents = {
  "a.txt": "one\ntwo\n",
  "eslint.config.mjs": 'export default [{ rules: { "no-var": "error" } }];\n',
  "good.js": "const one = 1;\n",
  "bad.js": "var one = 1;\n",
};

/** The two sides of a comparison: a folder with the same documents for each, and its own data. */
function sidesOf({ id }: Served) {
  const side = (name: string) => {
    const docs = join(scratch, id, name, "docs");
    mkdirSync(docs, { recursive: true });
    for (const [name, text] of Object.entries(documents)) writeFileSync(join(docs, name), text);
    return docs;
  };
  const [ours, theirs] = [side("gum"), side("direct")];
  const data = join(scratch, id, "direct", "data");
  mkdirSync(data);
  return {
    gum: { docs: ours, data: join(dataRoot, "plugin-data", id) },
    direct: { docs: theirs, data },
  };
}

type Side = ReturnType<typeof sidesOf>["gum"];

const put = <T>(value: T, { docs, data }: Side): T =>
  JSON.parse(JSON.stringify(value).replaceAll("DOCS", docs).replaceAll("DATA", data));

/** A result in which each side's own folders and moments have the same names. */
const levelled = (value: unknown, { docs, data }: Side): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(docs, "DOCS")
      .replaceAll(data, "DATA")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "NOW"),
  );

async function wrapAndInstall(server: Served, { docs }: Side): Promise<Ran> {
  const { id, args = [], env = {}, folder } = server;
  const out = join(scratch, id, "plugin");
  const grants = folder === undefined ? [] : [`--${folder}`, docs];
  const words = args.map((word) => word.replaceAll("DOCS", docs).replaceAll("DATA", placeholder));
  const variables = Object.entries(env).map(
    ([name, text]) => `--env=${name}=${text.replaceAll("DATA", placeholder)}`,
  );
  const source = join(servers, "node_modules", server.package);
  const wrapped = await gum(
    "plugin",
    "wrap",
    "--json",
    "--out",
    out,
    ...grants,
    ...variables,
    source,
    "--",
    ...words,
  );
  expect([wrapped.code, wrapped.answer.plugin]).toEqual([0, id]);
  return gum("plugin", "install", out, "--yes", "--json", ...grants);
}

function pinnedList(id: string): Record<string, unknown>[] {
  const folder = join(dataRoot, "plugin-schemas");
  const name = readdirSync(folder).find((file) => file.startsWith(`${id}.tools.`)) ?? "";
  return JSON.parse(readFileSync(join(folder, name), "utf8"));
}

async function saidThroughGum(
  id: string,
  tool: string,
  args: object,
): Promise<Said & { content: unknown[] }> {
  const words = ["plugin", "run", id, tool, JSON.stringify(args), "--yes", "--meta", "--json", "--no-cache"];
  const { code, answer } = await gum(...words);
  if (code !== 0) return { failed: true, data: answer.error, content: [] };
  return { failed: false, data: answer.data, content: (answer.content ?? []) as unknown[] };
}

describe("servers from npm", () => {
  for (const server of served) {
    test(`L9 ${server.package} lists and answers the same through gum as directly`, async () => {
      const sides = sidesOf(server);
      const installed = await wrapAndInstall(server, sides.gum);
      expect([installed.code, installed.answer.quarantine]).toEqual([0, null]);
      const there: DirectServer = {
        script: join(servers, "node_modules", server.package, server.script),
        args: put(server.args ?? [], sides.direct),
        env: {
          PATH: process.env.PATH ?? "",
          HOME: join(scratch, server.id),
          ...put(server.env ?? {}, sides.direct),
        },
      };
      await direct(there, async (client) => {
        const { tools } = await client.listTools();
        const plain = tools.map(({ name, description, inputSchema, outputSchema, annotations }) => ({
          name,
          description,
          inputSchema,
          outputSchema,
          annotations,
        }));
        const pinned = pinnedList(server.id).map(({ title: _, ...tool }) => tool);
        expect(byName(pinned)).toEqual(byName(JSON.parse(JSON.stringify(plain))));
        for (const [tool, args] of server.calls) {
          const theirs = { name: tool, arguments: put(args, sides.direct) as Record<string, unknown> };
          const result = await client.callTool(theirs);
          const { content, ...said } = await saidThroughGum(server.id, tool, put(args, sides.gum));
          const expected = saidDirectly(result);
          expect([tool, levelled(said, sides.gum)]).toEqual([tool, levelled(expected, sides.direct)]);
          expect([tool, content.filter(isNoText)]).toEqual([
            tool,
            (result.content as unknown[]).filter(isNoText),
          ]);
        }
      });
      expect((await gum("canary", `--plugin=${server.id}`, "--live", "--json")).answer.ok).toBe(true);
      await remove(join(scratch, server.id));
    }, 60_000);
  }
});

const isNoText = (block: unknown) => (block as { type: string }).type !== "text";

const byName = (tools: { name?: unknown }[]) =>
  tools.toSorted((a, b) => (String(a.name) < String(b.name) ? -1 : 1));

const causeOf = ({ answer }: Ran): unknown => (answer.details as { cause?: unknown } | undefined)?.cause;

describe("servers that cannot start here", () => {
  const cases: [name: string, words: string[], cause: string, said: RegExp][] = [
    ["mcp-sqlite", ["--", "notes.db"], "module_missing", /could not find the module "node_sqlite3.node"/],
    [
      "time-mcp",
      [],
      "stdout_not_protocol",
      /a line to stdout that is not protocol: "Starting Time MCP server/,
    ],
    [
      "@modelcontextprotocol/server-filesystem",
      ["--", "/srv/not-granted"],
      "exit_code",
      /ended by itself with exit code 1 before it answered initialize/,
    ],
  ];
  test.each(cases)(
    "L9 C5 W27 %s is quarantined with its true cause",
    async (name, words, cause, said) => {
      const id = name.replace(/^@[^/]*\//, "");
      const out = join(scratch, `unable-${id}`);
      const source = join(servers, "node_modules", name);
      const start = ["plugin", "wrap", "--json", "--out", out, "--id", `unable-${id}`];
      const refused = await gum(...start, source, ...words);
      expect([refused.code, refused.answer.error_code, causeOf(refused)]).toEqual([5, "SERVICE_DOWN", cause]);
      expect(refused.answer.error).toMatch(said);
      const wrapped = await gum(...start, "--tool", "anything", source, ...words);
      expect([wrapped.code, wrapped.answer.started]).toEqual([0, false]);
      const installed = await gum("plugin", "install", out, "--yes", "--json", "--owner", "local.test");
      expect([installed.code, installed.answer.status]).toEqual([6, "quarantined"]);
      expect((installed.answer.quarantine as { reason: string }).reason).toMatch(said);
    },
    60_000,
  );

  test("L9 W27 mcp-remote wants the network at its start: that is what is said", async () => {
    const source = join(servers, "node_modules/mcp-remote");
    const out = join(scratch, "unable-remote");
    const words = ["plugin", "wrap", "--json", "--out", out, "--bin", "mcp-remote", source];
    const refused = await gum(...words, "--", "http://203.0.113.1/mcp", "--allow-http");
    expect([refused.code, causeOf(refused), refused.answer.hint]).toEqual([
      5,
      "connect_denied",
      "add --network, if you want the server to use it",
    ]);
  }, 60_000);
});
