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
      prompt: async () => (await import("./commands/plugin/prompt.ts")).prompt,
      resource: async () => (await import("./commands/plugin/resource.ts")).resource,
      logs: async () => (await import("./commands/plugin/logs.ts")).logs,
      wrap: async () => (await import("./commands/plugin/wrap.ts")).wrap,
      diff: async () => (await import("./commands/plugin/diff.ts")).diff,
      reload: async () => (await import("./commands/plugin/reload.ts")).reload,
      unquarantine: async () => (await import("./commands/plugin/unquarantine.ts")).unquarantine,
      grant: async () => (await import("./commands/plugin/grant.ts")).grant,
      revoke: async () => (await import("./commands/plugin/revoke.ts")).revoke,
      setup: async () => (await import("./commands/plugin/setup.ts")).setup,
      remove: async () => (await import("./commands/plugin/remove.ts")).remove,
      pack: async () => (await import("./commands/plugin/pack.ts")).pack,
      verify: async () => (await import("./commands/plugin/verify.ts")).verify,
      history: async () => (await import("./commands/plugin/history.ts")).history,
      rollback: async () => (await import("./commands/plugin/rollback.ts")).rollback,
      gc: async () => (await import("./commands/plugin/gc.ts")).gc,
      "transfer-namespace": async () =>
        (await import("./commands/plugin/transfer-namespace.ts")).transferNamespace,
    },
  },
  wire: {
    summary: "Talk to a program over a line protocol (PROTOCOL_VERSION = 1).",
    verbs: { call: async () => (await import("./commands/wire/call.ts")).call },
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
  canary: async () => (await import("./commands/canary.ts")).canary,
  search: async () => (await import("./commands/search.ts")).search,
  describe: async () => (await import("./commands/describe.ts")).describe,
  call: async () => (await import("./commands/call.ts")).call,
  read: async () => (await import("./commands/read.ts")).read,
  write: async () => (await import("./commands/write.ts")).write,
  destructive: async () => (await import("./commands/destructive.ts")).destructive,
  mcp: async () => (await import("./commands/mcp.ts")).mcp,
  setup: async () => (await import("./commands/setup.ts")).setup,
  key: {
    summary: "Make, trust and revoke the keys that sign packages.",
    verbs: {
      generate: async () => (await import("./commands/key/generate.ts")).generate,
      list: async () => (await import("./commands/key/list.ts")).list,
      trust: async () => (await import("./commands/key/trust.ts")).trust,
      revoke: async () => (await import("./commands/key/revoke.ts")).revoke,
    },
  },
  audit: {
    summary: "Read the audit log, and prove that it is whole.",
    verbs: {
      verify: async () => (await import("./commands/audit/verify.ts")).verify,
      tail: async () => (await import("./commands/audit/tail.ts")).tail,
      show: async () => (await import("./commands/audit/show.ts")).show,
    },
  },
  config: {
    summary: "Read and change the profile's configuration.",
    verbs: {
      list: async () => (await import("./commands/config/list.ts")).list,
      get: async () => (await import("./commands/config/get.ts")).get,
      set: async () => (await import("./commands/config/set.ts")).set,
      unset: async () => (await import("./commands/config/unset.ts")).unset,
    },
  },
  sandbox: {
    summary: "Prove what the sandbox refuses on this machine.",
    verbs: { test: async () => (await import("./commands/sandbox/test.ts")).test },
  },
  doctor: async () => (await import("./commands/doctor.ts")).doctor,
  help: async () => (await import("./commands/help.ts")).help,
  schema: async () => (await import("./commands/schema.ts")).schema,
  completion: async () => (await import("./commands/completion.ts")).completion,
  version: async () => (await import("./commands/version.ts")).version,
};
