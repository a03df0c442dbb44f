import type { Kernel, KernelRequest } from "../kernel/kernel.ts";
import type { Routes } from "./command.ts";
import type { FlagValues, GlobalFlags } from "./flags.ts";
import type { ProgressBar } from "./progress.ts";
import type { Stop } from "./stops.ts";

export type Host = KernelRequest["host"];
export type LogLevel = Host["log"]["level"];

/** What main.ts lends to the command line. */
export interface World {
  /** One line on stdout without opening the terminal, which costs more than `gum version` may take. */
  print(line: string): void | Promise<void>;
  openHost(logLevel: LogLevel): Promise<Host>;
  /** From the first call on, the signals that stop gum abort this signal instead of ending it. */
  interruption(): AbortSignal;
  /** Which of them it was, once one has come. */
  stoppedBy(): Stop | undefined;
}

export type Globals = Omit<FlagValues<GlobalFlags>, "format"> & { readonly format: string | undefined };

export interface KernelOptions {
  readonly pipelines?: string | undefined;
  readonly trace?: "text" | "json" | undefined;
}

/** What a command runs with beside its arguments. */
export interface Context {
  readonly globals: Globals;
  /** Whether the answer is JSON. */
  readonly json: boolean;
  /** All commands, for those that tell about others. */
  readonly routes: Routes;
  print(line: string): void | Promise<void>;
  host(): Promise<Host>;
  /** The door to everything gum does. From here on signals abort instead of end. */
  kernel(options?: KernelOptions): Promise<Kernel>;
  /** Prints the answer on stdout: the value as one line of JSON, or its text. */
  answer(value: unknown, text: (style: Style) => string): Promise<void>;
  /** Tells a person something on stderr, unless they want quiet. */
  note(text: string): Promise<void>;
}

/** How text for stdout is laid out. */
export interface Style {
  /** Whether a person reads it; else it is for a program. */
  readonly interactive: boolean;
  readonly columns: number;
}

/** The context of one command line. */
export function createContext(globals: Globals, world: World, routes: Routes): Context {
  const level = globals["log-level"] ?? (globals.quiet ? "error" : "warn");
  let opened: Promise<Host> | undefined;
  const host = (): Promise<Host> => {
    opened ??= world.openHost(level);
    return opened;
  };
  const json = globals.json || globals.format === "json";
  return {
    globals,
    json,
    routes,
    print: world.print,
    host,
    async kernel(options = {}) {
      const { openKernel } = await import("../kernel/open.ts");
      return openKernel(await requestOf(await host(), globals, options, world));
    },
    async answer(value, text) {
      const { terminal } = await host();
      if (json) return terminal.out(`${JSON.stringify(value)}\n`);
      const { columns, interactive } = terminal;
      terminal.out(text({ interactive: interactive.stdout, columns }));
    },
    async note(text) {
      if (!globals.quiet) (await host()).terminal.err(text);
    },
  };
}

async function requestOf(
  host: Host,
  globals: Globals,
  { pipelines, trace }: KernelOptions,
  world: World,
): Promise<KernelRequest> {
  const tracer = trace === undefined ? undefined : (await import("./trace.ts")).createTracer(trace);
  const bar = globals.quiet ? undefined : await progressBar(host);
  return {
    host,
    signal: world.interruption(),
    profileName: globals.profile,
    pipelinesDir: pipelines,
    onProgress: ({ step, text, done, total }) =>
      bar?.show({ progress: done ?? 0, total, message: `${step}: ${text}` }),
    onStep(record, index) {
      bar?.clear();
      if (tracer !== undefined) host.terminal.err(tracer(record, index));
    },
  };
}

/** Only a terminal has one, and only there its code is loaded. */
async function progressBar(host: Host): Promise<ProgressBar | undefined> {
  if (!host.terminal.interactive.stderr) return undefined;
  return (await import("./progress.ts")).createProgressBar(host);
}
