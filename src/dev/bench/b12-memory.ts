import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { homeWith } from "./b3-call.ts";
import { runOnce } from "./programs.ts";
import { type BenchRow, exactly, type Measured, spreadOf } from "./row.ts";

const calls = 100_000;
const inFlight = 64;
const perLook = 1000;
/** The longest message that a plugin may send, as bytes, as text, as a value, and as what waits to be collected. */
const floodMiB = 4 * 16;

/** Whether a server grows with the number of its calls. */
export const memoryOfCalls: BenchRow = {
  id: "B12",
  what: `memory of gum mcp in the last quarter of ${calls} calls`,
  against: "in the first quarter",
  measure: () => measured("b12", afterCalls),
};

/** Whether a server grows while a plugin floods it. */
export const memoryOfFlood: BenchRow = {
  id: "B12F",
  what: "memory of gum mcp while a plugin floods stdout",
  against: "before",
  measure: () => measured("b12f", whileFlooded),
};

type Look = () => number;

async function measured(
  name: string,
  work: (client: Client, look: Look) => Promise<Measured>,
): Promise<Measured> {
  const env = { HOME: homeWith(name, resolve("test/plugins/hello")), PATH: "/usr/bin:/bin" };
  runOnce(["dist/gum", "plugin", "install", resolve("test/plugins/flood-stdout"), "--yes"], env);
  runOnce(["dist/gum", "config", "set", "dispatch.call_timeout_ms", "10000"], env);
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
  // A heap goes up and down between two collections; what counts is whether its middle rises.
  const looks: number[] = [];
  for (let done = 0; done < calls; done += perLook) {
    await callHello(client, perLook);
    looks.push(look());
  }
  const share = looks.length / 4;
  const [other, own] = [spreadOf(looks.slice(0, share)), spreadOf(looks.slice(-share))];
  return { own, other, figure: own.median / other.median, limit: 1.2, unit: "×", measuredIn: "MiB" };
}

async function callHello(client: Client, count: number): Promise<void> {
  let left = count;
  const one = { name: "gum.read", arguments: { op_id: "hello.hello", args: { name: "Ada" } } };
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      if ((await client.callTool(one)).isError === true) throw new Error("Cannot measure: a call failed");
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
}

async function whileFlooded(client: Client, look: Look): Promise<Measured> {
  // What the server needs for any calls at all is not the flood's.
  let before = 0;
  for (let looks = 0; looks < 10; looks++) {
    await callHello(client, perLook);
    before = Math.max(before, look());
  }
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
