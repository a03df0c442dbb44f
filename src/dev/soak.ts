// Calls a server for a while (SOAK_SECONDS, 300) with plugins that behave, crash, hang and flood, and leaves
// dist/soak.json. It fails when a call to the one that behaves fails, when memory rises, or when a process stays behind.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { runOnce } from "./bench/programs.ts";

const seconds = Number(process.env.SOAK_SECONDS ?? 300);
const home = resolve("dist/soak-home");
const env = { HOME: home, PATH: "/usr/bin:/bin" };
const troublesome = ["plug.crash-call.crash", "plug.progress.wait", "plug.flood-stdout.lines"];

rmSync(home, { recursive: true, force: true });
mkdirSync(home, { recursive: true });
for (const plugin of ["hello", "crash-call", "progress", "flood-stdout"]) {
  runOnce(["dist/gum", "plugin", "install", resolve("test/plugins", plugin), "--yes"], env);
}
runOnce(["dist/gum", "config", "set", "dispatch.call_timeout_ms", "2000"], env);

const transport = new StdioClientTransport({
  command: "dist/gum",
  args: ["mcp", "--stdio"],
  env,
  stderr: "ignore",
});
const client = new Client({ name: "soak", version: "1.0.0" });
await client.connect(transport);
const pid = transport.pid ?? -1;
const counts = { good: 0, goodFailed: 0, bad: 0, badAnswered: 0 };
const slowest = { ms: 0 };
const memory: number[] = [];
const end = performance.now() + seconds * 1000;
const going = (): boolean => performance.now() < end;

await Promise.all([...Array.from({ length: 4 }, callGood), ...troublesome.map(callBad), watchMemory()]);
await client.close();

const orphans = processesOf(home);
const third = Math.floor(memory.length / 3);
const [first, last] = [median(memory.slice(0, third)), median(memory.slice(-third))];
const ok = counts.good > 0 && counts.goodFailed === 0 && last <= first * 1.2 && orphans.length === 0;
const report = {
  at: new Date().toISOString(),
  seconds,
  counts,
  slowest_good_ms: Math.round(slowest.ms),
  memory_mib: { first_third: round(first), last_third: round(last), highest: round(Math.max(...memory)) },
  orphans: orphans.length,
  ok,
};
writeFileSync("dist/soak.json", `${JSON.stringify(report, null, 2)}\n`);
console.log(JSON.stringify(report));
rmSync(home, { recursive: true, force: true });
process.exit(ok ? 0 : 1);

async function callGood(): Promise<void> {
  while (going()) {
    const start = performance.now();
    const args = { op_id: "hello.hello", args: { name: "Ada" } };
    const { isError } = await client.callTool({ name: "gum.read", arguments: args });
    slowest.ms = Math.max(slowest.ms, performance.now() - start);
    counts.good++;
    if (isError === true) counts.goodFailed++;
  }
}

async function callBad(op_id: string): Promise<void> {
  while (going()) {
    const { isError } = await client.callTool({ name: "gum.read", arguments: { op_id } });
    counts.bad++;
    if (isError !== true) counts.badAnswered++;
    await Bun.sleep(50); // a plugin that rests refuses at once
  }
}

async function watchMemory(): Promise<void> {
  while (going()) {
    const [, kib] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    memory.push(Number(kib) / 1024);
    await Bun.sleep(500);
  }
}

/** Processes that were started for this home, by their environment or command. */
function processesOf(text: string): string[] {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return false;
    try {
      return ["environ", "cmdline"].some((file) =>
        readFileSync(`/proc/${name}/${file}`, "utf8").includes(text),
      );
    } catch {
      return false; // it has ended, or is somebody else's
    }
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
