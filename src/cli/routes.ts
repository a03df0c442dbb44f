import type { Routes } from "./command.ts";

/** Commands with one word, and groups of commands with two. The path of a file is the command. */
export const routes: Routes = {
  plugin: {
    summary: "Install, inspect, call and remove plugins.",
    verbs: {
      install: async () => (await import("./commands/plugin/install.ts")).install,
      validate: async () => (await import("./commands/plugin/validate.ts")).validate,
      list: async () => (await import("./commands/plugin/list.ts")).list,
      info: async () => (await import("./commands/plugin/info.ts")).info,
      run: async () => (await import("./commands/plugin/run.ts")).run,
      remove: async () => (await import("./commands/plugin/remove.ts")).remove,
    },
  },
  pipeline: {
    summary: "See, check and copy the pipelines that gum runs.",
    verbs: {
      list: async () => (await import("./commands/pipeline/list.ts")).list,
      show: async () => (await import("./commands/pipeline/show.ts")).show,
      lint: async () => (await import("./commands/pipeline/lint.ts")).lint,
      export: async () => (await import("./commands/pipeline/export.ts")).exportCommand,
      diff: async () => (await import("./commands/pipeline/diff.ts")).diff,
    },
  },
  search: async () => (await import("./commands/search.ts")).search,
  describe: async () => (await import("./commands/describe.ts")).describe,
  help: async () => (await import("./commands/help.ts")).help,
  schema: async () => (await import("./commands/schema.ts")).schema,
  completion: async () => (await import("./commands/completion.ts")).completion,
  version: async () => (await import("./commands/version.ts")).version,
};
