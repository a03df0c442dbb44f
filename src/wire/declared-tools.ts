import type { Plugin } from "../model/plugin.ts";
import type { Description, ListedTool } from "../model/session.ts";

/** The tools of a plugin whose wire has no list: those of its manifest (C14). */
export function declaredTools({ tools }: Pick<Plugin, "tools">): ListedTool[] {
  return tools.map(({ name, title, description }) => ({
    name,
    ...(title === null ? {} : { title }),
    description,
  }));
}

/** What such a plugin offers, with what the process says of itself. */
export function describeDeclared(
  tools: readonly ListedTool[],
  said: Partial<Pick<Description, "server" | "protocolVersion">> = {},
): Description {
  return { server: said.server, protocolVersion: said.protocolVersion, tools, rejected: [] };
}
