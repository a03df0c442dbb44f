import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { difference } from "./play.ts";
import { processesNaming, until } from "./processes.ts";
import { createScratch, gumBinary, type Scratch } from "./scratch.ts";
import { snapshotTree } from "./tree.ts";

const deadlineMs = 30_000;

// It never answers, and it has a child of its own that outlives it unless the whole tree is ended.
const hangingPlugin = `#!/usr/bin/env python3
import subprocess, time
subprocess.Popen(["/bin/sleep", "3600"])
time.sleep(3600)
`;

let scratch: Scratch;

beforeEach(async () => {
  scratch = createScratch();
  cpSync("examples/hello", join(scratch.work, "hello"), { recursive: true });
  expect(await gum("plugin", "install", "hello", "--yes").exited).toBe(0);
});

afterEach(() => {
  for (const { pid } of processesNaming(scratch.root)) process.kill(pid, "SIGKILL");
  scratch.remove();
});

describe("a signal in the middle", () => {
  for (const { signal, code } of [
    { signal: "SIGINT", code: 130 },
    { signal: "SIGTERM", code: 143 },
  ] as const) {
    test(`P15 ${signal} during an install undoes it, ends the plugin's processes and exits ${code}`, async () => {
      writeHanging("hang");
      const before = snapshotTree(join(scratch.root, "data"));
      const child = gum("plugin", "install", "hang", "--yes");
      await until("the start of the plugin and its child", pluginAndChild);
      child.kill(signal);
      expect(await child.exited).toBe(code);
      expect(difference(before, snapshotTree(join(scratch.root, "data")))).toEqual([]);
      await until("the end of every process", nothingLeft, 2_000);
      expect(await child.stdout.text()).toBe("");
      expect(auditTail()).toContain('"pipeline":"install"');
    });
  }

  test("P15 SIGINT during a call ends the plugin's processes and exits 130", async () => {
    const mark = join(scratch.work, "hang-now");
    mkdirSync(mark);
    writeHanging(
      "later",
      `import os\nif not os.listdir(${JSON.stringify(mark)}):\n    exec(open(__file__ + ".py").read())\n`,
    );
    cpSync("examples/hello/bin/hello-mcp", join(scratch.work, "later/bin/hang.py"));
    const installed = gum("plugin", "install", "later", "--yes", "--allow-read", mark);
    expect(await installed.exited).toBe(0);

    writeFileSync(join(mark, "now"), "");
    const child = gum("plugin", "run", "later", "hello", '{"name":"Ada"}');
    await until("the start of the plugin and its child", pluginAndChild);
    child.kill("SIGINT");
    expect(await child.exited).toBe(130);
    await until("the end of every process", nothingLeft, 2_000);
  });
});

function gum(...args: string[]) {
  return Bun.spawn([gumBinary, ...args], {
    cwd: scratch.work,
    env: scratch.env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
    timeout: deadlineMs,
    killSignal: "SIGKILL",
  });
}

/** A plugin like hello whose program hangs, after some lines of its own. */
function writeHanging(id: string, first = ""): void {
  const folder = join(scratch.work, id);
  mkdirSync(join(folder, "bin"), { recursive: true });
  const manifest = readFileSync("examples/hello/manifest.json", "utf8");
  writeFileSync(
    join(folder, "manifest.json"),
    manifest
      .replace('"plugin_id": "hello"', `"plugin_id": "${id}"`)
      .replace("io.example.hello", `io.example.${id}`)
      .replace("bin/hello-mcp", "bin/hang"),
  );
  writeFileSync(join(folder, "bin/hang"), hangingPlugin.replace("import", `${first}import`));
  chmodSync(join(folder, "bin/hang"), 0o755);
}

/** True once both of the plugin's processes are there. */
function pluginAndChild(): true | undefined {
  const commands = processesNaming(scratch.root).map(({ command }) => command);
  const both = commands.some((line) => line.includes("bin/hang")) && commands.includes("/bin/sleep 3600");
  return both ? true : undefined;
}

/** True once no process of this story is there; the kernel may take a moment to end one that was killed. */
function nothingLeft(): true | undefined {
  return processesNaming(scratch.root).length === 0 ? true : undefined;
}

function auditTail(): string {
  const path = join(scratch.data, "audit.jsonl");
  return existsSync(path) ? (readFileSync(path, "utf8").trimEnd().split("\n").at(-1) ?? "") : "";
}
