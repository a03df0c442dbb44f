import { exitCodes } from "./base/error-codes.ts";
import type { World } from "./cli/context.ts";
import { runCli } from "./cli/run.ts";
import { type Stop, stops } from "./cli/stops.ts";
import { printLine } from "./host/print-line.ts";

const controller = new AbortController();
let stop: { readonly how: Stop; readonly at: number } | undefined;
let listening = false;

const world: World = {
  print: printLine,
  openHost: async (logLevel) => (await import("./host/real.ts")).createHost({ logLevel }),
  interruption() {
    if (!listening) listen();
    listening = true;
    return controller.signal;
  },
  stoppedBy: () => stop?.how,
};

function listen(): void {
  process.on(stops.hungUp.signal, () => onSignal("hungUp"));
  process.on(stops.interrupted.signal, () => onSignal("interrupted"));
  process.on(stops.quit.signal, () => onSignal("quit"));
  process.on(stops.terminated.signal, () => onSignal("terminated"));
}

/** How long a repeated signal counts as the same one: timeout(1) and terminals send it to the group as well. */
const echoMs = 1000;

/** The first signal lets the pipeline undo what it did; a person who sends it again does not want to wait. */
function onSignal(how: Stop): void {
  if (stop !== undefined && performance.now() - stop.at > echoMs) process.exit(exitCodes[stop.how]);
  stop ??= { how, at: performance.now() };
  controller.abort(new Error(`gum was ${stops[how].words}`));
}

/** gum starts itself by this word to check values against plugins' schemas in a process that can be ended. */
if (process.argv[2] === "__schema-checks") {
  const { runSchemaChild } = await import("./kernel/schema-child.ts");
  await runSchemaChild(process.stdin, process.stdout);
  process.exit(0);
}

// Everything was written synchronously; what may still be open, such as a plugin's pipe, must not keep gum alive.
process.exit(await runCli(process.argv.slice(2), world));
