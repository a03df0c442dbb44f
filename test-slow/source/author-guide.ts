// The author guide's Python plugin as a project, and the lock that pins what it needs.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Scratch } from "../../test/kernel/scratch.ts";

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

/** Writes the project to a folder, with these files beside or instead of its own, and returns the folder. */
export function project(folder: string, more: Readonly<Record<string, string>> = {}): string {
  for (const [name, text] of Object.entries({ ...files, ...more })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** Ways through the network, as gum itself would have them. */
export const network = Object.fromEntries(
  ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE"].flatMap(
    (name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    },
  ),
);

/** Runs Python; what it printed. */
export async function python(home: Scratch, ...args: string[]): Promise<string> {
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
export async function lockOf(home: Scratch, requirement: string): Promise<string> {
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
