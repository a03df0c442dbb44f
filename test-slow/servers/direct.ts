import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

export interface DirectServer {
  readonly script: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Uses a server as any client of the SDK does, with its own process for this one use. */
export async function direct<T>(server: DirectServer, use: (client: Client) => Promise<T>): Promise<T> {
  // The capabilities that gum announces: a server may list other tools to a client that can do other things.
  const capabilities = { roots: { listChanged: true }, sampling: {}, elicitation: {} };
  const client = new Client({ name: "direct", version: "1.0.0" }, { capabilities });
  const { script, args, env } = server;
  const command = { command: "node", args: [script, ...args], env: { ...env }, stderr: "ignore" as const };
  await client.connect(new StdioClientTransport(command), { timeout: 20_000 });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

/** What a tool's result says, without how it is wrapped. */
export interface Said {
  readonly failed: boolean;
  readonly data: unknown;
}

/** The data of a result: structured content, one JSON text, or the text itself. */
export function saidDirectly(result: Record<string, unknown>): Said {
  const blocks = (Array.isArray(result.content) ? result.content : []) as { type: string; text?: string }[];
  const texts = blocks.filter(({ type }) => type === "text").map(({ text }) => text ?? "");
  const failed = result.isError === true;
  if (!failed && result.structuredContent !== undefined) return { failed, data: result.structuredContent };
  if (failed) return { failed, data: texts.join("\n").trim() };
  return { failed, data: texts.length === 1 ? parsed(texts[0] ?? "") : texts.join("\n") };
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
