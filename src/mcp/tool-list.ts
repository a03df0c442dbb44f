// S1, B13: the tools that every client sees, whatever is installed. An agent pays for each byte of this list in every
// conversation, so it says what cannot be found out by searching and describing, and no more.

const text = { type: "string" } as const;
const risk = { enum: ["read", "write", "destructive"] } as const;

const callInput = {
  type: "object",
  properties: {
    op_id: text,
    args: { type: "object" },
    variant_id: text,
    format: { enum: ["json"] },
    token: text,
  },
  required: ["op_id"],
} as const;

const callOutput = {
  type: "object",
  properties: { success: { type: "boolean" } },
  required: ["success"],
} as const;

const own = { readOnlyHint: true, openWorldHint: false } as const;

/** A tool of gum's own, as `tools/list` shows it. */
export interface OwnTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>>;
}

/** The seven tools, in the order in which an agent needs them. */
export const ownTools: readonly OwnTool[] = [
  {
    name: "gum.search",
    title: "Search operations",
    description: "Find operations of installed plugins by words; describe one before calling it.",
    annotations: own,
    inputSchema: {
      type: "object",
      properties: { query: text, limit: { type: "integer" }, risk },
      required: ["query"],
    },
    outputSchema: {
      type: "object",
      properties: { hits: { type: "array" } },
      required: ["hits"],
    },
  },
  {
    name: "gum.describe_op",
    title: "Describe operation",
    description: "Arguments, schemas, risk and auth of one operation.",
    annotations: own,
    inputSchema: { type: "object", properties: { op_id: text, variant_id: text }, required: ["op_id"] },
    outputSchema: {
      type: "object",
      properties: { op_id: text, status: text },
      required: ["op_id", "status"],
    },
  },
  {
    name: "gum.read",
    title: "Call (read)",
    description: "Call an operation whose risk_class is read.",
    annotations: { readOnlyHint: true },
    inputSchema: callInput,
    outputSchema: callOutput,
  },
  {
    name: "gum.write",
    title: "Call (write)",
    description: "Call an operation whose risk_class is write.",
    annotations: { readOnlyHint: false, destructiveHint: false },
    inputSchema: callInput,
    outputSchema: callOutput,
  },
  {
    name: "gum.destructive",
    title: "Call (destructive)",
    description:
      "Call an operation whose risk_class is destructive: first without token, then with the returned one.",
    annotations: { readOnlyHint: false, destructiveHint: true },
    inputSchema: callInput,
    outputSchema: callOutput,
  },
  {
    name: "gum.plugins",
    title: "List plugins",
    description: "Installed plugins and their status.",
    annotations: own,
    inputSchema: { type: "object" },
    outputSchema: {
      type: "object",
      properties: { plugins: { type: "array" } },
      required: ["plugins"],
    },
  },
  {
    name: "gum.canary",
    title: "Try a plugin",
    description: "Start a plugin and check its tools; live also makes its trial call.",
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    inputSchema: {
      type: "object",
      properties: { plugin: text, live: { type: "boolean" } },
      required: ["plugin"],
    },
    outputSchema: {
      type: "object",
      properties: { plugin: text, ok: { type: "boolean" } },
      required: ["plugin", "ok"],
    },
  },
];
