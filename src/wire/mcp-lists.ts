// Lists come in pages, and a list is only used when it is whole: one without an end is a fault of the plugin.
import { isRecord } from "../base/record.ts";
import type { Description, ListedTool } from "../model/session.ts";
import type { Explanation } from "./causes.ts";
import { type McpLink, type RequestOptions, RpcError } from "./mcp-link.ts";
import { oneLine } from "./text.ts";

const maxPages = 200;
const maxItems = 10_000;
const methodNotFound = -32601;

/** All entries of a list, page by page within one time limit; undefined when the plugin does not know the method. */
export async function listAll(
  link: McpLink,
  method: string,
  key: string,
  options: RequestOptions,
): Promise<readonly unknown[] | undefined> {
  const items: unknown[] = [];
  const cursors = new Set<string>();
  const deadline = link.clock.monotonic() + options.timeoutMs;
  for (let cursor: string | undefined; ; ) {
    const page = await askPage(link, method, cursor, options, deadline);
    if (page === undefined) return undefined;
    const entries = isRecord(page) ? page[key] : undefined;
    if (!isRecord(page) || !Array.isArray(entries)) throw await link.fatal(notAList(method, key));
    items.push(...entries);
    const next = page.nextCursor;
    if (typeof next !== "string") return items;
    if (cursors.has(next) || cursors.size >= maxPages || items.length > maxItems)
      throw await link.fatal(endless(method));
    cursors.add(next);
    cursor = next;
  }
}

async function askPage(
  link: McpLink,
  method: string,
  cursor: string | undefined,
  options: RequestOptions,
  deadline: number,
): Promise<unknown> {
  const timeoutMs = Math.max(1, Math.ceil(deadline - link.clock.monotonic()));
  try {
    return await link.request(method, cursor === undefined ? undefined : { cursor }, {
      ...options,
      timeoutMs,
    });
  } catch (error) {
    if (error instanceof RpcError && error.code === methodNotFound) return undefined;
    if (error instanceof RpcError) throw await link.fatal(listRefused(method, error));
    throw error;
  }
}

/** The usable tools of a list, and the others with the reason; each is judged by itself (W6). */
export function readTools(entries: readonly unknown[]): Pick<Description, "tools" | "rejected"> {
  const tools = new Map<string, ListedTool>();
  const rejected: { name: string; reason: string }[] = [];
  for (const [index, entry] of entries.entries()) {
    const name = nameOf(entry) ?? `#${index + 1}`;
    const fault = tools.has(name) ? "the name is listed twice" : faultOf(entry);
    if (fault === undefined) tools.set(name, readTool(entry, name));
    else rejected.push({ name: oneLine(name, 128), reason: fault });
  }
  return { tools: [...tools.values()], rejected };
}

function nameOf(entry: unknown): string | undefined {
  return isRecord(entry) && typeof entry.name === "string" && entry.name !== "" ? entry.name : undefined;
}

function faultOf(entry: unknown): string | undefined {
  if (!isRecord(entry)) return "it is not an object";
  if (nameOf(entry) === undefined) return "it has no name";
  const { title, description, inputSchema, outputSchema, annotations } = entry;
  if (!isRecord(inputSchema)) return "inputSchema is not an object";
  if (inputSchema.type !== "object") return 'inputSchema does not have "type": "object"';
  if (outputSchema !== undefined && !isRecord(outputSchema)) return "outputSchema is not an object";
  if (annotations !== undefined && !isRecord(annotations)) return "annotations is not an object";
  if (description !== undefined && typeof description !== "string") return "description is not text";
  if (title !== undefined && typeof title !== "string") return "title is not text";
  return undefined;
}

function readTool(entry: unknown, name: string): ListedTool {
  const { title, description, inputSchema, outputSchema, annotations } = isRecord(entry) ? entry : {};
  return {
    name,
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof description === "string" ? { description } : {}),
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(isRecord(annotations) ? { annotations } : {}),
  };
}

function notAList(method: string, key: string): Explanation {
  return {
    cause: "message_malformed",
    what: `answered ${method} with something that has no list of ${key}`,
    hint: `answer ${method} with {"${key}": [...]}`,
  };
}

function endless(method: string): Explanation {
  return {
    cause: "endless_list",
    what: `answers ${method} with pages that do not end`,
    hint: `leave nextCursor out of the last page; at most ${maxPages} pages and ${maxItems} entries are read`,
  };
}

function listRefused(method: string, error: RpcError): Explanation {
  return {
    cause: "initialize_refused",
    what: `refused ${method}: ${oneLine(error.message, 300) || `error ${error.code}`}`,
    hint: `answer ${method} with a list`,
  };
}
