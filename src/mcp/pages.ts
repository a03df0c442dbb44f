import { ProtocolFault, type Result, rpcCodes } from "./results.ts";

const perPage = 500;

/** One page of a list. The cursor is a position: lists are short-lived, and a client reads them at once. */
export function pageOf(
  key: string,
  items: readonly Result[],
  { cursor }: Readonly<Record<string, unknown>>,
): Result {
  const start = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isInteger(start) || start < 0 || (start > 0 && start >= items.length)) {
    throw new ProtocolFault(rpcCodes.invalidParams, "Invalid params: unknown cursor");
  }
  const end = start + perPage;
  return { [key]: items.slice(start, end), ...(end < items.length ? { nextCursor: String(end) } : {}) };
}
