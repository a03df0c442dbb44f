import { GumError } from "../base/errors.ts";

/** One call as it was written: a method, and its params where there are any. */
export interface WireLine {
  readonly method: string;
  readonly params: unknown;
}

/** Reads `method params`: the params are JSON, and may be left out. Undefined for an empty line. */
export function readWireLine(text: string, number: number): WireLine | undefined {
  const line = text.trim();
  if (line === "") return undefined;
  const [, method = "", rest = ""] = /^(\S+)\s*([\s\S]*)$/.exec(line) ?? [];
  if (rest === "") return { method, params: undefined };
  try {
    return { method, params: JSON.parse(rest) };
  } catch {
    throw new GumError(
      "USAGE",
      `Line ${number} is not a method and JSON: the params of "${method}" are not JSON.`,
      {
        hint: 'write a line such as: echo {"text":"hello"}',
      },
    );
  }
}

const maxLineCharacters = 16 * 1024 * 1024;

/** The lines of a stream as they come, with their numbers. */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<readonly [text: string, number: number]> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [rest, number] = ["", 0];
  for await (const chunk of chunks) {
    rest += typeof chunk === "string" ? chunk : decode(decoder, chunk);
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield [line, ++number];
    if (rest.length > maxLineCharacters)
      throw new GumError("USAGE", `Line ${number + 1} is longer than 16 MiB.`);
  }
  rest += decode(decoder, undefined);
  if (rest !== "") yield [rest, ++number];
}

function decode(decoder: TextDecoder, chunk: Uint8Array | undefined): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    throw new GumError("USAGE", "Standard input is not UTF-8.");
  }
}
