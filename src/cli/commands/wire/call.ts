import { exitCodeOf } from "../../../base/error-codes.ts";
import type { Kernel } from "../../../kernel/kernel.ts";
import { defineCommand } from "../../command.ts";
import { capabilityNames } from "../../grant-flags.ts";
import { usage } from "../../parse.ts";
import { terminalJson } from "../../terminal-json.ts";
import { linesOf, readWireLine, type WireLine } from "../../wire-lines.ts";

const name = "wire call";

export const call = defineCommand({
  name,
  summary: "Call your own program over a line protocol; it is not confined, and runs with your rights.",
  examples: [
    `gum wire call --wire jsonl --method ping -- ./bin/echo`,
    `printf 'ping\\necho {"text":"hi"}\\n' | gum wire call --wire jsonl -- python3 echo.py`,
    `gum wire call --wire handshake --method echo --params '{"text":"hi"}' --grant text.echo -- ./bin/side`,
  ],
  args: { command: { take: "rest", summary: "The program and its arguments, after --." } },
  flags: {
    wire: {
      kind: "choice",
      choices: ["jsonl", "handshake"],
      summary: "The protocol that the program speaks.",
    },
    method: {
      kind: "text",
      value: "name",
      summary: "One call of this method; else `method params` lines on stdin.",
    },
    params: { kind: "text", value: "json", summary: "The params of --method." },
    timeout: { kind: "duration", summary: "How long a call may take: 60s for jsonl, 5s for handshake." },
    "plugin-id": { kind: "text", value: "id", summary: "handshake: the id that the program must name." },
    protocol: { kind: "text", value: "name", summary: "handshake: the protocol (rterm.plugin.v1)." },
    grant: {
      kind: "text",
      value: "names",
      repeated: true,
      summary: "handshake: capabilities that it may declare, divided by commas.",
    },
  },
  async run({ args, flags }, context) {
    const [program, ...words] = args.command;
    if (flags.wire === undefined) throw usage(name, "Say which protocol: --wire jsonl or --wire handshake");
    if (program === undefined) throw usage(name, "Name the program after --");
    const single = singleCall(flags.method, flags.params);
    const kernel = await context.kernel();
    const { openWire } = await import("../../../kernel/wire-call.ts");
    const caller = openWire(kernel, {
      wire: flags.wire,
      command: [program, ...words],
      timeoutMs: flags.timeout,
      pluginId: flags["plugin-id"],
      protocol: flags.protocol,
      granted: capabilityNames(flags.grant),
    });
    let exit = 0;
    try {
      for await (const { method, params } of single === undefined ? inputCalls(kernel) : [single]) {
        const { answer, text } = await caller.call(method, params);
        tell(kernel, text);
        // What the program answers, also an error, is an answer; the first failure of the host decides.
        if (answer.kind === "failure" && exit === 0) exit = exitCodeOf(answer.failure.error_code);
      }
    } finally {
      await caller.close();
    }
    return exit;
  },
});

function singleCall(method: string | undefined, params: string | undefined): WireLine | undefined {
  if (method !== undefined) {
    try {
      return { method, params: params === undefined ? undefined : JSON.parse(params) };
    } catch {
      throw usage(name, "The flag --params is not JSON");
    }
  }
  if (params !== undefined) throw usage(name, "The flag --params needs --method");
  return undefined;
}

/** The calls on standard input as they come, so that a script can wait for an answer before it asks on. */
async function* inputCalls({ host, signal }: Kernel): AsyncGenerator<WireLine> {
  const { input } = host.terminal.streams();
  const stop = (): void => void input.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const [text, number] of linesOf(input)) {
      const line = readWireLine(text, number);
      if (line !== undefined) yield line;
    }
  } finally {
    signal.throwIfAborted();
    signal.removeEventListener("abort", stop);
  }
}

/** One line of JSON for each call, whatever the format. */
function tell({ host: { terminal } }: Kernel, text: string): void {
  terminal.out(`${terminal.interactive.stdout ? terminalJson(text) : text}\n`);
}
