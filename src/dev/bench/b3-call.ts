import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { openFile } from "../../host/open-file.ts";
import { benchFolder, runOnce } from "./programs.ts";
import { type BenchRow, sideBySide } from "./row.ts";

const runs = 40;

/** How long one call of a small script takes, with everything that a command does around it. */
export const coldCall: BenchRow = {
  id: "B3",
  what: "gum plugin run, cold, a small MCP plugin",
  against: "an SDK client script, compiled with the same flags, that starts the same plugin unchecked",
  async measure() {
    const client = compiled("sdk-client");
    const plugin = resolve(benchFolder, "hello");
    rmSync(plugin, { recursive: true, force: true });
    cpSync("test/plugins/hello", plugin, { recursive: true });
    const home = homeWith("b3", plugin);
    const both = await sideBySide(
      runs,
      () => runOnce(["dist/gum", "plugin", "run", "hello", "hello", '{"name":"Ada"}'], { HOME: home }),
      () => runOnce([client, `${plugin}/bin/hello-mcp`, "hello", '{"name":"Ada"}']),
    );
    return { ...both, figure: both.own.median / both.other.median, limit: 1.3, unit: "×" };
  },
};

/** The same with an executable of more than 100 MB, which is hashed before it runs. */
export const coldCallLarge: BenchRow = {
  id: "B3L",
  what: "gum plugin run, cold, a plugin of 110 MB",
  against: "the same client, and the SHA-256 of the plugin",
  async measure() {
    const client = compiled("sdk-client");
    const program = resolve(compiled("echo-plugin"));
    const home = homeWith("b3-large", packed(program));
    const both = await sideBySide(
      24,
      () => runOnce(["dist/gum", "plugin", "run", "echo", "echo", '{"name":"Ada"}'], { HOME: home }),
      async () => {
        runOnce([client, program, "echo", '{"name":"Ada"}']);
        const file = openFile(program, "read-no-follow");
        await file.sha256();
        await file.close();
      },
    );
    return { ...both, figure: both.own.median / both.other.median, limit: 1.3, unit: "×" };
  },
};

/** Compiles one of the programs beside this file as gum is compiled. */
export function compiled(name: "sdk-client" | "echo-plugin"): string {
  const flags = process.env.GUM_COMPILE?.split(/\s+/).filter(Boolean);
  if (flags === undefined) throw new Error("GUM_COMPILE is not set: start this with `make bench`");
  mkdirSync(benchFolder, { recursive: true });
  const program = `${benchFolder}/${name}`;
  runOnce([process.execPath, ...flags, `src/dev/bench/${name}.ts`, "--outfile", program]);
  return program;
}

/** A home in which the plugin is installed and active. */
export function homeWith(name: string, plugin: string): string {
  const home = resolve(benchFolder, `home-${name}`);
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  runOnce(["dist/gum", "plugin", "install", plugin, "--yes"], { HOME: home });
  runOnce(["dist/gum", "plugin", "list"], { HOME: home });
  return home;
}

function packed(program: string): string {
  const folder = resolve(benchFolder, "echo");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(`${folder}/bin`, { recursive: true });
  copyFileSync(program, `${folder}/bin/echo-plugin`);
  const manifest = {
    manifest_schema_version: 1,
    plugin_id: "echo",
    name: "Echo",
    version: "1.0.0",
    description: "Says it again",
    license: "MIT",
    namespace_owner: "io.example.echo",
    shape: "mcp-plugin",
    executable: "bin/echo-plugin",
    advertised_tools: [{ name: "echo", description: "Says it again", risk_class: "read" }],
    declared_capabilities: { network: false, fs_write_dir: "", env_allow: [] },
  };
  writeFileSync(`${folder}/manifest.json`, JSON.stringify(manifest));
  writeFileSync(`${folder}/LICENSE`, "MIT\n");
  return folder;
}
