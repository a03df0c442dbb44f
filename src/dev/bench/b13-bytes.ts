import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { homeWith } from "./b3-call.ts";
import { type BenchRow, exactly } from "./row.ts";

/** The lists of real servers as they were captured, with the size of each. */
const captured = "test/golden/search/catalog.json";
const servers = 15;

/** What an agent pays for the list of tools, beside what the servers' own lists would cost it. */
export const listBytes: BenchRow = {
  id: "B13",
  what: "tools/list of gum mcp",
  against: `tools/list of ${servers} real servers`,
  async measure() {
    const env = { HOME: homeWith("b13", `${process.cwd()}/test/plugins/hello`), PATH: "/usr/bin:/bin" };
    const client = new Client({ name: "bench", version: "1.0.0" });
    await client.connect(
      new StdioClientTransport({ command: "dist/gum", args: ["mcp", "--stdio"], env, stderr: "ignore" }),
    );
    const list = await client.request({ method: "tools/list" }, ResultSchema);
    await client.close();
    const own = Buffer.byteLength(JSON.stringify(list));
    const catalog: { readonly list_bytes: number }[] = JSON.parse(readFileSync(captured, "utf8"));
    const sizes = catalog.map(({ list_bytes }) => list_bytes).sort((a, b) => b - a);
    const other = sizes.slice(0, servers).reduce((sum, bytes) => sum + bytes, 0);
    return {
      own: exactly(own),
      other: exactly(other),
      figure: (100 * own) / other,
      limit: 2,
      unit: "%",
      measuredIn: "bytes",
    };
  },
};
