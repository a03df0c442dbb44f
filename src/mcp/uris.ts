// gum's own addresses. A template is matched by hand: the last variable of one with `+` takes the rest as it is.

/** Where a template leads. */
export type Place =
  | { readonly kind: "plugins" | "canaries" | "health" | "load" }
  | {
      readonly kind: "plugin" | "op" | "variant" | "schema" | "result" | "pipeline" | "help";
      readonly name: string;
    }
  | { readonly kind: "plugin-resource"; readonly name: string; readonly uri: string };

const fixed: Readonly<Record<string, Place>> = {
  "gum://plugins": { kind: "plugins" },
  "gum://status/canaries": { kind: "canaries" },
  "gum://status/health": { kind: "health" },
  "gum://status/load": { kind: "load" },
};

const named = {
  plugin: "plugin",
  op: "op",
  variant: "variant",
  schema: "schema",
  results: "result",
  pipelines: "pipeline",
  help: "help",
} as const;

/** What an address of gum's means; undefined when it is none. */
export function readUri(uri: string): Place | undefined {
  if (Object.hasOwn(fixed, uri)) return fixed[uri];
  const [, head = "", rest = ""] = /^gum:\/\/([a-z]+)\/(.+)$/s.exec(uri) ?? [];
  if (head === "plugin") {
    const [, name, inner] = /^([^/]+)\/resource\/(.+)$/s.exec(rest) ?? [];
    if (name !== undefined && inner !== undefined) return { kind: "plugin-resource", name, uri: inner };
  }
  if (!isHead(head) || rest.includes("/")) return undefined;
  const name = decoded(rest);
  return name === undefined ? undefined : { kind: named[head], name };
}

/** The address of a plugin's own resource. */
export function pluginResourceUri(plugin: string, uri: string): string {
  return `gum://plugin/${plugin}/resource/${uri}`;
}

function isHead(head: string): head is keyof typeof named {
  return Object.hasOwn(named, head);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
