import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Kernel } from "../../src/kernel/kernel.ts";
import type { Lock, LockRow, State, StateRow } from "../../src/model/registry.ts";
import { installFrom, type Scratch } from "./scratch.ts";

/** The tools of test/plugins/moody, as it lists them when it is in no mood. */
export const look = {
  name: "look",
  description: "Look at a day",
  inputSchema: {
    type: "object",
    properties: { day: { type: "string" }, place: { type: "string" } },
    required: ["day"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
};
export const put = {
  name: "put",
  description: "Put something somewhere",
  inputSchema: { type: "object", properties: { what: { type: "string" } } },
  annotations: { destructiveHint: false },
};

export interface Moody {
  readonly kernel: Kernel;
  /** What the plugin does from its next start on. */
  mood(mood: object): void;
  /** The arguments of the last call. */
  asked(): unknown;
  state(): StateRow;
  row(): LockRow;
  generation(): number;
  /** Rows of the audit log. */
  audit(): Record<string, unknown>[];
}

/** test/plugins/moody, installed. */
export async function moody(
  home: Scratch,
  change?: (manifest: Record<string, unknown>) => void,
  profile = "default",
  folder = home.plugin("moody", change),
): Promise<Moody> {
  const kernel = await home.kernel({ profile });
  await installFrom(kernel, folder);
  const { dataDir } = kernel.profile;
  const own = join(dataDir, "plugin-data/moody/home");
  const state = (): State => JSON.parse(readFileSync(join(dataDir, "plugin-state.json"), "utf8"));
  return {
    kernel,
    mood(mood) {
      mkdirSync(own, { recursive: true });
      writeFileSync(join(own, "mood.json"), JSON.stringify(mood));
    },
    asked: () => JSON.parse(readFileSync(join(own, "asked.json"), "utf8")),
    state: () => only(state().plugins),
    row: () => only((JSON.parse(readFileSync(join(dataDir, "plugins.lock"), "utf8")) as Lock).plugins),
    generation: () => state().install_generation,
    audit: () =>
      readFileSync(join(dataDir, "audit.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
  };
}

function only<T extends { name: string }>(rows: readonly T[]): T {
  const row = rows.find(({ name }) => name === "moody");
  if (row === undefined) throw new Error("Cannot read: moody is not there");
  return row;
}
