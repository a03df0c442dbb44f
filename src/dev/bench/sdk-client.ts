// The other side of B3 and B4: what somebody writes who calls an MCP server once, with no checks at all.
//   sdk-client <program> <tool> <json>
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command = "", name = "", args = "{}"] = process.argv.slice(2);
const client = new Client({ name: "bench", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command }));
const result = await client.callTool({ name, arguments: JSON.parse(args) });
console.log(JSON.stringify(result.content));
await client.close();
process.exit(0);
