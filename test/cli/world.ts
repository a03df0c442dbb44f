import { runCli } from "../../src/cli/run.ts";
import { createFakeHost, type FakeHost, type FakeHostOptions } from "../fakes/fake-host.ts";

export interface Told {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly questions: readonly string[];
  readonly host: FakeHost;
}

/** Runs a command line in a world of memory and tells everything it said. */
export async function gum(words: readonly string[], options: FakeHostOptions = {}): Promise<Told> {
  const host = createFakeHost(options);
  let printed = "";
  const code = await runCli(words, {
    print(line) {
      printed += `${line}\n`;
    },
    openHost: async () => host,
    interruption: () => new AbortController().signal,
    stoppedBy: () => undefined,
  });
  const { out, err, questions } = host.terminal.said;
  return { code, out: printed + out, err, questions, host };
}
