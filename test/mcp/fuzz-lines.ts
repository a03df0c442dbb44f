// Lines that a broken or hostile client might send, always the same ones for a seed.

/** A small generator of its own, so that a failure can be played again. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const methods = [
  "initialize",
  "ping",
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/read",
  "resources/subscribe",
  "prompts/get",
  "completion/complete",
  "logging/setLevel",
  "notifications/cancelled",
  "notifications/progress",
  "sampling/createMessage",
  "__proto__",
  "constructor",
  "",
];
const texts = [
  "gum.read",
  "gum.search",
  "gum://plugins",
  "gum://op/%",
  "\u0000",
  "x".repeat(5000),
  "{}",
  "ünï\u2028",
];

/** Lines with their ends; some of them hold several, or none. */
export function* fuzzLines(count: number, seed: number): Generator<string | Uint8Array> {
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const value = (depth: number): unknown => {
    const kind = Math.floor(next() * (depth > 3 ? 5 : 8));
    if (kind === 0) return null;
    if (kind === 1) return next() < 0.5;
    if (kind === 2) return pick([0, -1, 1.5, 1e308, 2 ** 53, -0]);
    if (kind <= 4) return pick(texts);
    if (kind === 5) return Array.from({ length: Math.floor(next() * 4) }, () => value(depth + 1));
    const keys = [
      "name",
      "arguments",
      "uri",
      "op_id",
      "args",
      "_meta",
      "progressToken",
      "cursor",
      "ref",
      "level",
    ];
    return Object.fromEntries(
      Array.from({ length: Math.floor(next() * 4) }, () => [pick(keys), value(depth + 1)]),
    );
  };
  for (let made = 0; made < count; made++) {
    const id = pick<unknown>([made, `f${made}`, null, {}, 1.5, undefined, -1]);
    const message = {
      jsonrpc: pick(["2.0", "2.0", "2.0", "1.0", 2]),
      id,
      method: pick(methods),
      params: value(0),
    };
    const text = JSON.stringify(message);
    const how = Math.floor(next() * 12);
    if (how === 0) yield `${text.slice(0, Math.floor(next() * text.length))}\n`;
    else if (how === 1) yield `${JSON.stringify([message, value(0)])}\n`;
    else if (how === 2) yield `${JSON.stringify({ jsonrpc: "2.0", id, result: value(0) })}\n`;
    else if (how === 3) yield `${JSON.stringify({ jsonrpc: "2.0", id, error: value(0) })}\n`;
    else if (how === 4) yield new Uint8Array([0xff, 0xfe, 0x7b, 0x0a]);
    else if (how === 5) yield `${"[".repeat(2000)}\n`;
    else if (how === 6) yield `${JSON.stringify(value(0))}\r\n`;
    else yield `${text}\n`;
  }
}
