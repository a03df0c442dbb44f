// Calls of plugins in a scratch home, with a count of the processes that they started.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Host } from "../../src/host/host.ts";
import { callTool } from "../../src/kernel/call.ts";
import type { Kernel } from "../../src/kernel/kernel.ts";
import type { CallRequest } from "../../src/model/call.ts";
import type { SuccessEnvelope } from "../../src/model/envelope.ts";
import type { StateRow } from "../../src/model/registry.ts";
import { readRegistry } from "../../src/registry/read-registry.ts";
import type { Scratch } from "./scratch.ts";

export interface Caller {
  readonly kernel: Kernel;
  readonly warnings: string[];
  /** How many processes were started through the host so far. */
  started(): number;
  /** Moves the wall clock. */
  wait(ms: number): void;
  call(op: string, args?: Record<string, unknown>, more?: Partial<CallRequest>): Promise<SuccessEnvelope>;
  state(): Promise<StateRow>;
}

const main = resolve(import.meta.dir, "../../src/main.ts");

/** A caller in this home, as one process after the other would be. */
export async function callerIn(
  home: Scratch,
  options: { profile?: string; pipelinesDir?: string; signal?: AbortSignal } = {},
): Promise<Caller> {
  let [count, moved] = [0, 0];
  const opened = await home.kernel(options);
  const host: Host = {
    ...opened.host,
    clock: { ...opened.host.clock, now: () => Date.now() + moved },
    machine: { ...opened.host.machine, self: { file: process.execPath, args: [main] } },
    processes: {
      spawn: (spec) => {
        count++;
        return opened.host.processes.spawn(spec);
      },
    },
  };
  const kernel: Kernel = { ...opened, host };
  const warnings: string[] = [];
  return {
    kernel,
    warnings,
    started: () => count,
    wait: (ms) => {
      moved += ms;
    },
    call: (op, args = {}, more = {}) =>
      callTool(kernel, { op, args, confirmation: { kind: "flag", yes: false }, ...more }, ({ message }) =>
        warnings.push(message),
      ),
    async state() {
      const [row] = (await readRegistry(host, kernel.profile)).state.plugins;
      if (row === undefined) throw new Error("No plugin is installed");
      return row;
    },
  };
}

/** Changes the program of a plugin's copy. */
export function rewrite(plugin: string, change: (text: string) => string): string {
  const { executable } = JSON.parse(readFileSync(join(plugin, "manifest.json"), "utf8"));
  const file = join(plugin, executable);
  const before = readFileSync(file, "utf8");
  const after = change(before);
  if (after === before) throw new Error("The program was not changed");
  writeFileSync(file, after);
  return plugin;
}

/** Adds to a manifest's requirements. */
export const requiring =
  (more: object) =>
  (manifest: Record<string, unknown>): void => {
    manifest.requirements = { ...Object(manifest.requirements), ...more };
  };

/** Gives every tool of a manifest another risk. */
export const risking =
  (risk_class: string) =>
  (manifest: Record<string, unknown>): void => {
    delete manifest.requirements;
    const tools = manifest.advertised_tools;
    if (Array.isArray(tools)) manifest.advertised_tools = tools.map((tool) => ({ ...tool, risk_class }));
  };
