import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { runCanary } from "../../src/kernel/canary.ts";
import type { Kernel } from "../../src/kernel/kernel.ts";
import { type WrapOptions, wrapServer } from "../../src/kernel/wrap/wrap.ts";
import { refusalOf } from "../steps/run-step.ts";
import { installFrom, type Scratch, scratch } from "./scratch.ts";

const none: WrapOptions = {
  network: false,
  grants: { read: [], write: [], shm: false, capabilities: [] },
  env: {},
  envAllow: [],
  timeoutMs: 15_000,
  tools: [],
};

const tools = [
  { name: "see", description: "Looks", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
  {
    name: "do",
    description: "Does",
    inputSchema: { type: "object" },
    annotations: { destructiveHint: false },
  },
  { name: "undo", description: "Undoes", inputSchema: { type: "object" } },
];

/** An MCP server in plain JavaScript whose answers are made by `answer`, a package of its own. */
const serverScript = (before: string, answer: string) => `
${before}
const tools = ${JSON.stringify(tools)};
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "found", version: "9" },
  }),
  "tools/list": () => ({ tools }),
  "tools/call": () => ({ content: [{ type: "text", text: ${answer} }] }),
};
process.stdin.setEncoding("utf8");
let rest = "";
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\\n");
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined || !(method in answers)) continue;
    console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method](params) }));
  }
});
`;

function write(path: string, text: string | object, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof text === "string" ? text : JSON.stringify(text));
  chmodSync(path, mode);
}

/** A project into which a server and what it needs were installed, hoisted as npm does. */
function npmProject(home: Scratch, more: { bin?: object; shebang?: string; script?: string } = {}): string {
  const modules = join(home.folder, "project/node_modules");
  const script = more.script ?? serverScript('const { hint } = require("@word/hint");', "hint()");
  write(join(modules, "@some/server-found/package.json"), {
    name: "@some/server-found",
    version: "1.2.3",
    license: "MIT",
    description: "Finds things",
    bin: more.bin ?? { "server-found": "./dist/main.js" },
    dependencies: { "@word/hint": "^1" },
  });
  const shebang = more.shebang ?? "#!/usr/bin/env node";
  write(join(modules, "@some/server-found/dist/main.js"), `${shebang}${script}`);
  write(join(modules, "@word/hint/package.json"), {
    name: "@word/hint",
    version: "1.0.0",
    dependencies: { deep: "*" },
  });
  write(
    join(modules, "@word/hint/index.js"),
    'exports.hint = () => require("deep") + process.argv.slice(2);',
  );
  write(join(modules, "@word/hint/node_modules/deep/package.json"), { name: "deep", version: "1.0.0" });
  write(join(modules, "@word/hint/node_modules/deep/index.js"), 'module.exports = "deep ";');
  write(join(modules, "unneeded/package.json"), { name: "unneeded", version: "1.0.0" });
  return join(modules, "@some/server-found");
}

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
const wrap = (kernel: Kernel, words: string[], more: Partial<WrapOptions> = {}) =>
  wrapServer(kernel, words, { ...none, ...more });

describe("gum plugin wrap: a package of npm", () => {
  test("L9 it is copied with what it needs, started, and becomes a plugin that installs and passes", async () => {
    using home = scratch();
    const kernel = await home.kernel();
    const answer = await wrap(kernel, [npmProject(home)]);
    expect(answer).toMatchObject({
      plugin: "server-found",
      version: "1.2.3",
      owner: "npm:@some/server-found",
      kind: "npm",
      started: true,
      tools: [
        { name: "see", risk_class: "read" },
        { name: "do", risk_class: "write" },
        { name: "undo", risk_class: "destructive" },
      ],
      install_command: `gum plugin install ${join(home.folder, "server-found")}`,
    });
    expect(readdirSync(join(answer.folder, "server/node_modules")).sort()).toEqual(["@some", "@word"]);
    expect(manifestOf(answer.folder)).toMatchObject({
      executable: "server/node_modules/@some/server-found/dist/main.js",
      license: "MIT",
      declared_capabilities: { network: false, fs_write_dir: "", env_allow: [] },
    });
    expect((await installFrom(kernel, answer.folder)).status).toBe("installed_pending_restart");
    expect((await runCanary(kernel, "server-found", { live: false })).ok).toBe(true);
  });

  test("L9 T35 what it was granted is asked for in the manifest, and not granted by that", async () => {
    using home = scratch();
    const docs = join(home.folder, "docs");
    write(join(docs, "a.txt"), "text");
    const reading = serverScript(`require("node:fs").readdirSync(${JSON.stringify(docs)});`, '"ok"');
    const folder = npmProject(home, { script: reading });
    const kernel = await home.kernel();
    const refused = await refusalOf(() => wrap(kernel, [folder, docs]));
    expect([refused.code, refused.info.details?.cause]).toEqual(["SERVICE_DOWN", "write_denied"]);
    expect(refused.info.hint).toContain(`--allow-read ${docs}`);
    expect(readdirSync(home.folder).filter((name) => name.startsWith("server-found"))).toEqual([]);
    const grants = { ...none.grants, read: [docs] };
    const answer = await wrap(kernel, [folder, docs], { grants });
    expect(manifestOf(answer.folder)).toMatchObject({ args: [docs], requests: { read: [docs] } });
    expect(answer.install_command).toEndWith(`--allow-read ${docs}`);
    const without = await installFrom(kernel, answer.folder);
    expect([without.status, without.quarantine?.reason]).toEqual([
      "quarantined",
      `The plugin "server-found" failed its trial: The plugin "server-found" was refused access to the file "${docs}".`,
    ]);
    expect((await installFrom(kernel, answer.folder, { grants })).ok).toBe(true);
  });

  test("L9 a program without a first line for its interpreter gets a launcher", async () => {
    using home = scratch();
    const kernel = await home.kernel();
    const answer = await wrap(kernel, [npmProject(home, { shebang: "" })], {
      id: "launched",
      owner: "io.example",
    });
    expect(manifestOf(answer.folder)).toMatchObject({
      plugin_id: "launched",
      namespace_owner: "io.example",
      executable: "bin/server-mcp",
    });
    expect((await installFrom(kernel, answer.folder)).ok).toBe(true);
  });

  test("L9 one of several programs has to be chosen, and a package that is not installed is named", async () => {
    using home = scratch();
    const kernel = await home.kernel();
    const folder = npmProject(home, { bin: { one: "./dist/main.js", two: "./dist/main.js" } });
    const refusal = await refusalOf(() => wrap(kernel, [folder]));
    expect([refusal.code, refusal.info.hint]).toEqual(["USAGE", "choose one with --bin: one, two"]);
    expect((await wrap(kernel, [folder], { bin: "two" })).kind).toBe("npm");
    const manifest = join(folder, "package.json");
    write(manifest, { name: "x", version: "1", bin: "dist/main.js", dependencies: { missing: "1" } });
    const missing = await refusalOf(() => wrap(kernel, [folder], { out: "other" }));
    expect([missing.code, missing.info.details?.package]).toEqual(["PLUGIN_FETCH_FAILED", "missing"]);
  });

  test("L9 a store with links, as pnpm keeps it, is laid out so that node finds everything", async () => {
    using home = scratch();
    const hoisted = npmProject(home);
    const store = join(home.folder, "store/node_modules/.pnpm");
    const place = join(store, "found/node_modules/@some/server-found");
    const hint = join(store, "hint/node_modules/@word/hint");
    for (const [from, to] of [
      [hoisted, place],
      [join(dirname(dirname(hoisted)), "@word/hint"), hint],
    ] as const) {
      mkdirSync(dirname(to), { recursive: true });
      Bun.spawnSync(["cp", "-r", from, to]);
    }
    mkdirSync(join(store, "found/node_modules/@word"));
    symlinkSync(hint, join(store, "found/node_modules/@word/hint"));
    mkdirSync(join(home.folder, "store/node_modules/@some"));
    symlinkSync(place, join(home.folder, "store/node_modules/@some/server-found"));
    const kernel = await home.kernel();
    const answer = await wrap(kernel, [join(home.folder, "store/node_modules/@some/server-found")]);
    expect((await installFrom(kernel, answer.folder)).ok).toBe(true);
  });
});

describe("gum plugin wrap: other servers", () => {
  const python = (body: string) => `import json, sys
TOOLS = ${JSON.stringify([{ name: "see", description: "Looks", inputSchema: { type: "object" } }])}
def main():
    ${body}
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message: continue
        answers = {
            "initialize": {"protocolVersion": message.get("params", {}).get("protocolVersion"),
                           "capabilities": {"tools": {}}, "serverInfo": {"name": "snake", "version": "2"}},
            "tools/list": {"tools": TOOLS},
        }
        if message["method"] in answers:
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": answers[message["method"]]}), flush=True)
`;

  test("L9 a virtual environment: its packages are copied, the interpreter below it runs them", async () => {
    using home = scratch();
    const real = Bun.spawnSync(["python3", "-c", "import sys; print(sys.executable)"])
      .stdout.toString()
      .trim();
    const env = join(home.folder, "venv");
    const site = join(env, "lib/python3.11/site-packages");
    write(join(env, "pyvenv.cfg"), "home = /usr/bin\n");
    mkdirSync(join(env, "bin"));
    symlinkSync(real, join(env, "bin/python3"));
    write(join(site, "snake/__init__.py"), "");
    write(join(site, "snake/server.py"), python("import helper; helper.ok()"));
    write(join(site, "helper.py"), "def ok(): pass\n");
    write(join(site, "pip/__init__.py"), "");
    write(
      join(site, "snake-2.0.dist-info/METADATA"),
      "Name: snake\nVersion: 2.0\nSummary: Hisses\n\nLong text\n",
    );
    write(
      join(site, "snake-2.0.dist-info/entry_points.txt"),
      "[console_scripts]\nsnake-mcp = snake.server:main\nsnake-admin = snake.admin:main\n",
    );
    const kernel = await home.kernel();
    const answer = await wrap(kernel, [env]);
    expect(answer).toMatchObject({ plugin: "snake", version: "2.0", owner: "pypi:snake", kind: "python" });
    expect(existsSync(join(answer.folder, "site-packages/helper.py"))).toBe(true);
    expect(existsSync(join(answer.folder, "site-packages/pip"))).toBe(false);
    expect((await installFrom(kernel, answer.folder)).ok).toBe(true);
    const byModule = await wrap(kernel, [join(env, "bin/python3"), "-m", "snake.server"], {
      out: "module",
      tools: ["see"],
    });
    expect(byModule).toMatchObject({ started: false, plugin: "snake" }); // the module defines main and does not call it
  });

  test("L9 a script with its interpreter, and a script alone", async () => {
    using home = scratch();
    const kernel = await home.kernel();
    const file = join(home.folder, "snake.py");
    write(file, `${python("pass")}\nmain()\n`);
    const answer = await wrap(kernel, ["python3", file]);
    expect(answer).toMatchObject({
      plugin: "snake",
      version: "2",
      owner: "local.snake",
      kind: "file",
      files: 2,
    });
    expect(manifestOf(answer.folder).executable).toBe("bin/server-mcp");
    expect((await installFrom(kernel, answer.folder)).ok).toBe(true);
    write(file, `#!/usr/bin/env python3\n${python("pass")}\nmain()\n`, 0o755);
    const alone = await wrap(kernel, [file, "--stdio"], { out: "alone" });
    expect(manifestOf(alone.folder)).toMatchObject({ executable: "server/snake.py", args: ["--stdio"] });
  });

  test("L9 W27 a server that wants the network is refused with the flag that would help", async () => {
    using home = scratch();
    const file = join(home.folder, "snake.py");
    const body = 'import urllib.request; urllib.request.urlopen("http://203.0.113.1/", timeout=5)';
    write(file, `${python(body)}\nmain()\n`);
    const kernel = await home.kernel();
    const refusal = await refusalOf(() => wrap(kernel, ["python3", file]));
    expect([refusal.code, refusal.info.details?.cause, refusal.info.hint]).toEqual([
      "SERVICE_DOWN",
      "connect_denied",
      "add --network, if you want the server to use it",
    ]);
  });

  test("L9 C5 a server that cannot start here is wrapped by its tools' names and quarantined with the true cause", async () => {
    using home = scratch();
    const file = join(home.folder, "snake.py");
    write(file, `${python("import no_such_module")}\nmain()\n`);
    const kernel = await home.kernel();
    const answer = await wrap(kernel, ["python3", file], { tools: ["see"] });
    expect([answer.started, answer.tools, answer.warnings[0]?.message]).toEqual([
      false,
      [{ name: "see", risk_class: "destructive" }],
      'The plugin "snake" could not find the module "no_such_module".',
    ]);
    const installed = await installFrom(kernel, answer.folder);
    expect(installed.quarantine).toEqual({
      code: "CANARY_FAILED",
      reason:
        'The plugin "snake" failed its trial: The plugin "snake" could not find the module "no_such_module".',
    });
  });

  test("L9 T10 shells and programs that fetch servers are refused", async () => {
    using home = scratch();
    const kernel = await home.kernel();
    expect((await refusalOf(() => wrap(kernel, ["sh", "-c", "true"]))).code).toBe(
      "PLUGIN_EXECUTABLE_UNTRUSTED",
    );
    const runner = await refusalOf(() => wrap(kernel, ["npx", "-y", "some-server"]));
    expect([runner.code, runner.info.hint?.includes("npm install --ignore-scripts")]).toEqual([
      "USAGE",
      true,
    ]);
    expect((await refusalOf(() => wrap(kernel, ["no-such-program-here"]))).code).toBe("USAGE");
  });

  test("L9 T35 a path that may not be granted is refused before anything is copied", async () => {
    using home = scratch();
    const kernel = await home.kernel();
    const grants = { ...none.grants, read: [kernel.host.machine.home] };
    const refusal = await refusalOf(() => wrap(kernel, [npmProject(home)], { grants }));
    expect(refusal.code).toBe("POLICY_DENIED");
    expect(existsSync(join(home.folder, "server-found"))).toBe(false);
    const install = await refusalOf(() => installFrom(kernel, home.plugin("hello"), { grants }));
    expect(install.code).toBe("POLICY_DENIED");
  });

  test("L9 an existing folder is never overwritten", async () => {
    using home = scratch();
    const kernel = await home.kernel();
    mkdirSync(join(home.folder, "taken"));
    const refusal = await refusalOf(() => wrap(kernel, [npmProject(home)], { out: "taken" }));
    expect(refusal.code).toBe("USAGE");
    expect(readdirSync(join(home.folder, "taken"))).toEqual([]);
  });
});
