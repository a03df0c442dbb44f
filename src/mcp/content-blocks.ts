import { isRecord } from "../base/record.ts";

// A client refuses a whole result for one block that it does not understand, so blocks of plugins are looked at first.

type Block = Readonly<Record<string, unknown>>;

/** The blocks as a client can read them; one of an unknown kind becomes its own text. */
export function contentBlocks(blocks: readonly unknown[]): Block[] {
  return blocks.map((block) => (isKnown(block) ? block : { type: "text", text: JSON.stringify(block) }));
}

function isKnown(block: unknown): block is Block {
  if (!isRecord(block)) return false;
  const { type, text, data, mimeType, resource, uri, name } = block;
  if (type === "text") return typeof text === "string";
  if (type === "image" || type === "audio") return typeof mimeType === "string" && isBase64(data);
  if (type === "resource_link") return typeof uri === "string" && typeof name === "string";
  return type === "resource" && isResource(resource);
}

function isResource(resource: unknown): boolean {
  if (!isRecord(resource) || typeof resource.uri !== "string") return false;
  return typeof resource.text === "string" || isBase64(resource.blob);
}

function isBase64(value: unknown): boolean {
  return typeof value === "string" && /^[A-Za-z0-9+/]*={0,2}$/.test(value) && value.length % 4 === 0;
}
