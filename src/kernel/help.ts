type Page = () => Promise<{ readonly default: string }>;

// One line per page in docs/; each is loaded only when somebody asks for it. A test holds the list and the folder together.
const pages: Readonly<Record<string, Page>> = {
  commands: () => import("../../docs/commands.md", { with: { type: "text" } }),
  dispatch: () => import("../../docs/dispatch.md", { with: { type: "text" } }),
  errors: () => import("../../docs/errors.md", { with: { type: "text" } }),
  "exit-codes": () => import("../../docs/exit-codes.md", { with: { type: "text" } }),
  pipelines: () => import("../../docs/pipelines.md", { with: { type: "text" } }),
  signatures: () => import("../../docs/signatures.md", { with: { type: "text" } }),
  sources: () => import("../../docs/sources.md", { with: { type: "text" } }),
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
