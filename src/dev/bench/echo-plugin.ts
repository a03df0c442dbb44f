// An MCP server with one tool and no packages; compiled, it is a plugin whose executable has more than 100 MB.
import { createInterface } from "node:readline";

const tool = { name: "echo", description: "Says it again", inputSchema: { type: "object" } };

function answer(method: string, params: { readonly protocolVersion?: string; readonly arguments?: unknown }) {
  if (method === "initialize") {
    const serverInfo = { name: "echo", version: "1.0.0" };
    return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
  }
  if (method === "tools/list") return { tools: [tool] };
  return { content: [{ type: "text", text: JSON.stringify({ success: true, data: params.arguments }) }] };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answer(method, params ?? {}) }));
}
