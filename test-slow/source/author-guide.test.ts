// The author guide's Python plugin with its real dependencies. Needs the network and the package index.
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { callTool } from "../../src/kernel/call.ts";
import { findProgram } from "../../src/source/find-program.ts";
import { installFrom, type Scratch, scratch } from "../../test/kernel/scratch.ts";

const files = {
  "manifest.json": JSON.stringify({
    manifest_schema_version: 1,
    plugin_id: "hello",
    name: "Hello",
    version: "0.1.0",
    namespace_owner: "io.example.hello",
    shape: "mcp-plugin",
    executable: "hello-mcp",
    advertised_tools: [
      {
        name: "hello",
        description: "Return a deterministic greeting for the given name",
        risk_class: "read",
      },
    ],
    declared_capabilities: { network: false, fs_write_dir: "", env_allow: [] },
  }),
  "pyproject.toml": `[project]
name = "hello-plugin"
version = "0.1.0"
dependencies = ["mcp>=1.0.0,<2"]

[project.scripts]
hello-mcp = "hello_plugin:main"

[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
`,
  "src/hello_plugin/__init__.py": `import json
from mcp.server.fastmcp import FastMCP

app = FastMCP("Hello")


@app.tool()
def hello(name: str) -> str:
    """Return a deterministic greeting for the given name."""
    if not name:
        return json.dumps({"success": False, "error_code": "INVALID_INPUT", "error": "empty", "retryable": False})
    return json.dumps({"success": True, "data": {"greeting": f"Hello, {name}!"}})


def main() -> None:
    app.run()
`,
};

function project(folder: string, more: Readonly<Record<string, string>> = {}): string {
  for (const [name, text] of Object.entries({ ...files, ...more })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** Ways through the network, as gum itself would have them. */
const network = Object.fromEntries(
  ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE"].flatMap(
    (name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    },
  ),
);

async function python(home: Scratch, ...args: string[]): Promise<string> {
  const child = Bun.spawn(["python3", ...args], {
    cwd: home.folder,
    stdout: "pipe",
    stderr: "pipe",
    timeout: 180_000,
  });
  const [out, problems] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(problems);
  return out;
}

/** Every package that pip would install, with the hash of the file it would take. */
async function lockOf(home: Scratch, requirement: string): Promise<string> {
  const report = join(home.folder, "report.json");
  await python(
    home,
    "-m",
    "pip",
    "install",
    "--quiet",
    "--dry-run",
    "--ignore-installed",
    "--report",
    report,
    requirement,
  );
  const { install } = JSON.parse(readFileSync(report, "utf8"));
  const lines = install.map(
    (item: {
      metadata: { name: string; version: string };
      download_info: { archive_info: { hashes: { sha256: string } } };
    }) =>
      `${item.metadata.name}==${item.metadata.version} --hash=sha256:${item.download_info.archive_info.hashes.sha256}\n`,
  );
  return lines.join("");
}

async function installedAndCalled(home: Scratch, folder: string) {
  const kernel = await home.kernel();
  const answer = await installFrom(kernel, folder);
  expect(answer.quarantine).toBeNull();
  const call = {
    op: "plug.hello.hello",
    args: { name: "world" },
    confirmation: { kind: "flag", yes: false },
  } as const;
  const { payload } = await callTool(kernel, call);
  return { payload, note: answer.steps.find(({ step }) => step === "build-env")?.note };
}

const greeting = { success: true, data: { greeting: "Hello, world!" } };

test("T10 the author guide's plugin installs by pip from a lock with hashes, and answers without a network", async () => {
  using home = scratch({ ...network, PATH: withoutUv() });
  const lock = await lockOf(home, "mcp>=1.0.0,<2");
  expect(lock.split("\n").length).toBeGreaterThan(10);
  const { payload, note } = await installedAndCalled(
    home,
    project(join(home.folder, "p"), { "requirements.lock": lock }),
  );
  expect(payload).toEqual(greeting);
  expect(note).toStartWith("pip, python 3.");
}, 300_000);

test("T10 the same by uv, which is used when it is on the PATH", async () => {
  using home = scratch(network);
  await python(home, "-m", "pip", "install", "--quiet", "--target", join(home.folder, "tools"), "uv");
  const uv = join(home.folder, "tools/bin");
  expect(readdirSync(uv)).toContain("uv");
  chmodSync(join(uv, "uv"), 0o755);
  using withUv = scratch({ ...network, PATH: `${uv}:${process.env.PATH}` });
  expect(await findProgram(withUv.host, "uv")).toBe(join(uv, "uv"));
  const { payload, note } = await installedAndCalled(withUv, project(join(withUv.folder, "p")));
  expect(payload).toEqual(greeting);
  expect(note).toStartWith("uv, python 3.");
}, 300_000);

/** The PATH without folders that have a uv. */
function withoutUv(): string {
  const folders = (process.env.PATH ?? "").split(":");
  return folders.filter((folder) => Bun.which("uv", { PATH: folder }) === null).join(":");
}
