import { PassThrough } from "node:stream";
import type { Terminal } from "../../src/host/host.ts";

export interface FakeTerminalOptions {
  /** Whether a person is there, for all three streams or one by one. */
  readonly interactive?: boolean | Partial<Terminal["interactive"]>;
  readonly colour?: boolean;
  readonly columns?: number;
  /** What standard input holds. */
  readonly input?: string;
  /** What the person answers, question by question; after the last one input has ended. */
  readonly answers?: readonly string[];
}

export interface FakeTerminal extends Terminal {
  readonly said: { readonly out: string; readonly err: string; readonly questions: readonly string[] };
}

/** A terminal that records what is written to it. */
export function createFakeTerminal(options: FakeTerminalOptions = {}): FakeTerminal {
  const { interactive = false, colour = false, columns = 80, input = "", answers = [] } = options;
  const all = typeof interactive === "boolean" ? interactive : false;
  const some = typeof interactive === "boolean" ? {} : interactive;
  const said = { out: "", err: "", questions: [] as string[] };
  const waiting = [...answers];
  return {
    interactive: { stdin: all, stdout: all, stderr: all, ...some },
    colour,
    columns,
    said,
    out(text) {
      said.out += text;
    },
    err(text) {
      said.err += text;
    },
    streams: () => ({ input: new PassThrough(), output: new PassThrough() }),
    async readInput({ maxBytes }) {
      if (new TextEncoder().encode(input).length > maxBytes) {
        throw Object.assign(new Error("EFBIG: standard input is too large"), { code: "EFBIG" });
      }
      return input;
    },
    async ask(question) {
      said.questions.push(question);
      return waiting.shift();
    },
    async askSecret(question) {
      said.questions.push(question);
      return waiting.shift();
    },
  };
}
