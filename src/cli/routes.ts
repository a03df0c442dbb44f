import type { Command } from "./command.ts";

/** Loads a command's code when it is asked for. */
export type Load = () => Promise<Command>;

/** Commands with one word, and groups of commands with two. The path of a file is the command. */
export const routes: Readonly<Record<string, Load | Readonly<Record<string, Load>>>> = {
  plugin: {
    install: async () => (await import("./commands/plugin/install.ts")).install,
    validate: async () => (await import("./commands/plugin/validate.ts")).validate,
    list: async () => (await import("./commands/plugin/list.ts")).list,
    info: async () => (await import("./commands/plugin/info.ts")).info,
    run: async () => (await import("./commands/plugin/run.ts")).run,
    remove: async () => (await import("./commands/plugin/remove.ts")).remove,
  },
  pipeline: {
    list: async () => (await import("./commands/pipeline/list.ts")).list,
    show: async () => (await import("./commands/pipeline/show.ts")).show,
    lint: async () => (await import("./commands/pipeline/lint.ts")).lint,
    export: async () => (await import("./commands/pipeline/export.ts")).exportCommand,
    diff: async () => (await import("./commands/pipeline/diff.ts")).diff,
  },
  help: async () => (await import("./commands/help.ts")).help,
  schema: async () => (await import("./commands/schema.ts")).schema,
  completion: async () => (await import("./commands/completion.ts")).completion,
  version: async () => (await import("./commands/version.ts")).version,
};

/** What each group is about. */
export const groupSummaries: Readonly<Record<string, string>> = {
  plugin: "Install, inspect, call and remove plugins.",
  pipeline: "See, check and copy the pipelines that gum runs.",
};

/** Every command, loaded, in the order of the table. */
export async function allCommands(): Promise<Command[]> {
  const loads = Object.values(routes).flatMap((route) =>
    typeof route === "function" ? [route] : Object.values(route),
  );
  return Promise.all(loads.map((load) => load()));
}
