import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { homeWith } from "./b3-call.ts";
import { type BenchRow, exactly, type Measured } from "./row.ts";

const calls = 100_000;
const inFlight = 64;
const warmUp = 5000;
/** The longest message that a plugin may send, twice: what was read, and what it is read into. */
const floodMiB = 2 * 16;

/** Whether a server grows with the number of its calls. */
export const memoryOfCalls: BenchRow = {
  id: "B12",
  what: `memory of gum mcp after ${calls} calls`,
  against: `after the first ${warmUp}`,
  measure: () => measured("b12", "test/plugins/hello", afterCalls),
};

/** Whether a server grows while a plugin floods it. */
export const memoryOfFlood: BenchRow = {
  id: "B12F",
  what: "memory of gum mcp while a plugin floods stdout",
  against: "before",
  measure: () => measured("b12f", "test/plugins/flood-stdout", whileFlooded),
};

type Look = () => number;

async function measured(
  name: string,
  plugin: string,
  work: (client: Client, look: Look) => Promise<Measured>,
): Promise<Measured> {
  const env = { HOME: homeWith(name, resolve(plugin)), PATH: "/usr/bin:/bin" };
  const transport = new StdioClientTransport({
    command: "dist/gum",
    args: ["mcp", "--stdio"],
    env,
    stderr: "ignore",
  });
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(transport);
  try {
    return await work(client, () => residentMiB(transport.pid ?? -1));
  } finally {
    await client.close();
  }
}

async function afterCalls(client: Client, look: Look): Promise<Measured> {
  const call = async (count: number): Promise<void> => {
    let left = count;
    const one = { name: "gum.read", arguments: { op_id: "hello.hello", args: { name: "Ada" } } };
    await Promise.all(
      Array.from({ length: inFlight }, async () => {
        while (left-- > 0) {
          if ((await client.callTool(one)).isError === true) throw new Error("Cannot measure: a call failed");
        }
      }),
    );
  };
  await call(warmUp);
  const before = look();
  await call(calls - warmUp);
  const after = look();
  const own = exactly(after);
  return { own, other: exactly(before), figure: after / before, limit: 1.2, unit: "×", measuredIn: "MiB" };
}

async function whileFlooded(client: Client, look: Look): Promise<Measured> {
  await client.callTool({ name: "gum.plugins" });
  const before = look();
  const flood = client.callTool({ name: "gum.read", arguments: { op_id: "plug.flood-stdout.lines" } });
  let highest = before;
  let flooding = true;
  const end = flood.finally(() => {
    flooding = false;
  });
  while (flooding) {
    highest = Math.max(highest, look());
    await Promise.race([end, Bun.sleep(50)]);
  }
  const figure = highest - before;
  return {
    own: exactly(highest),
    other: exactly(before),
    figure,
    limit: floodMiB,
    unit: "MiB",
    measuredIn: "MiB",
  };
}

function residentMiB(pid: number): number {
  const [, kib] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) / 1024;
}
