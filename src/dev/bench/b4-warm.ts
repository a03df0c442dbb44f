import { resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { homeWith } from "./b3-call.ts";
import { type BenchRow, type Measured, sideBySide } from "./row.ts";

const plugin = "test/plugins/hello";
const callsPerRun = 50;
const inFlight = 64;
const callsInFlight = 640;

/** One call after the other through a server whose plugin runs already. */
export const warmCall: BenchRow = {
  id: "B4",
  what: `gum.read through gum mcp, ${callsPerRun} calls one after the other`,
  against: "the same calls straight to the plugin by the SDK's client",
  measure: () => measure(2, async (call) => void (await inTurn(call, callsPerRun))),
};

/** Many calls in flight; the time that the same number takes may be so much longer. */
export const warmFlood: BenchRow = {
  id: "B4F",
  what: `gum.read through gum mcp, ${callsInFlight} calls, ${inFlight} in flight`,
  against: "the same calls straight to the plugin by the SDK's client",
  measure: () =>
    measure(1 / 0.6, async (call) => {
      const share = callsInFlight / inFlight;
      await Promise.all(Array.from({ length: inFlight }, () => inTurn(call, share)));
    }),
};

type Call = () => Promise<unknown>;

async function inTurn(call: Call, count: number): Promise<void> {
  for (let done = 0; done < count; done++) await call();
}

async function measure(limit: number, work: (call: Call) => Promise<void>): Promise<Measured> {
  const home = homeWith("b4", resolve(plugin));
  const gum = await connect("dist/gum", ["mcp", "--stdio"], { HOME: home });
  const direct = await connect(resolve(plugin, "bin/hello-mcp"), []);
  const args = { name: "Ada" };
  try {
    const both = await sideBySide(
      40,
      () =>
        work(() => right(gum.callTool({ name: "gum.read", arguments: { op_id: "plug.hello.hello", args } }))),
      () => work(() => right(direct.callTool({ name: "hello", arguments: args }))),
    );
    return { ...both, figure: both.own.median / both.other.median, limit, unit: "×" };
  } finally {
    await gum.close();
    await direct.close();
  }
}

/** A call that fails fast would look good. */
async function right(call: ReturnType<Client["callTool"]>): Promise<void> {
  const { isError } = await call;
  if (isError === true) throw new Error("Cannot measure: a call failed");
}

async function connect(command: string, args: string[], env: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: "bench", version: "1.0.0" });
  const path = { PATH: "/usr/bin:/bin", ...env };
  await client.connect(new StdioClientTransport({ command, args, env: path, stderr: "ignore" }));
  return client;
}
