type Page = () => Promise<{ readonly default: string }>;

// One line per page in docs/; each is loaded only when somebody asks for it. A test holds the list and the folder together.
const pages: Readonly<Record<string, Page>> = {
  auth: () => import("../../docs/auth.md", { with: { type: "text" } }),
  canaries: () => import("../../docs/canaries.md", { with: { type: "text" } }),
  clients: () => import("../../docs/clients.md", { with: { type: "text" } }),
  commands: () => import("../../docs/commands.md", { with: { type: "text" } }),
  credentials: () => import("../../docs/credentials.md", { with: { type: "text" } }),
  dispatch: () => import("../../docs/dispatch.md", { with: { type: "text" } }),
  env: () => import("../../docs/env.md", { with: { type: "text" } }),
  errors: () => import("../../docs/errors.md", { with: { type: "text" } }),
  "exit-codes": () => import("../../docs/exit-codes.md", { with: { type: "text" } }),
  limits: () => import("../../docs/limits.md", { with: { type: "text" } }),
  "line-protocols": () => import("../../docs/line-protocols.md", { with: { type: "text" } }),
  manifest: () => import("../../docs/manifest.md", { with: { type: "text" } }),
  mcp: () => import("../../docs/mcp.md", { with: { type: "text" } }),
  performance: () => import("../../docs/performance.md", { with: { type: "text" } }),
  pipelines: () => import("../../docs/pipelines.md", { with: { type: "text" } }),
  registry: () => import("../../docs/registry.md", { with: { type: "text" } }),
  sandbox: () => import("../../docs/sandbox.md", { with: { type: "text" } }),
  signatures: () => import("../../docs/signatures.md", { with: { type: "text" } }),
  sources: () => import("../../docs/sources.md", { with: { type: "text" } }),
  wire: () => import("../../docs/wire.md", { with: { type: "text" } }),
  wrap: () => import("../../docs/wrap.md", { with: { type: "text" } }),
};

/** The names that `gum help` knows. */
export function helpTopics(): string[] {
  return Object.keys(pages);
}

/** One page as Markdown; undefined when there is none of that name. */
export async function helpTopic(name: string): Promise<string | undefined> {
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
  return (await page?.())?.default;
}
