// Written by src/dev/docs.ts from the files in schemas/; not to be edited.

/** Every published schema by name, loaded when it is asked for. */
export const schemaTable: Readonly<Record<string, () => Promise<{ readonly default: unknown }>>> = {
  "cli/audit-show.v1": () =>
    import("../../schemas/cli/audit-show.v1.schema.json", { with: { type: "json" } }),
  "cli/audit-tail.v1": () =>
    import("../../schemas/cli/audit-tail.v1.schema.json", { with: { type: "json" } }),
  "cli/audit-verify.v1": () =>
    import("../../schemas/cli/audit-verify.v1.schema.json", { with: { type: "json" } }),
  "cli/call.v1": () => import("../../schemas/cli/call.v1.schema.json", { with: { type: "json" } }),
  "cli/canary.v1": () => import("../../schemas/cli/canary.v1.schema.json", { with: { type: "json" } }),
  "cli/completion.v1": () =>
    import("../../schemas/cli/completion.v1.schema.json", { with: { type: "json" } }),
  "cli/config-get.v1": () =>
    import("../../schemas/cli/config-get.v1.schema.json", { with: { type: "json" } }),
  "cli/config-list.v1": () =>
    import("../../schemas/cli/config-list.v1.schema.json", { with: { type: "json" } }),
  "cli/config-set.v1": () =>
    import("../../schemas/cli/config-set.v1.schema.json", { with: { type: "json" } }),
  "cli/config-unset.v1": () =>
    import("../../schemas/cli/config-unset.v1.schema.json", { with: { type: "json" } }),
  "cli/describe-skeleton.v1": () =>
    import("../../schemas/cli/describe-skeleton.v1.schema.json", { with: { type: "json" } }),
  "cli/describe.v1": () => import("../../schemas/cli/describe.v1.schema.json", { with: { type: "json" } }),
  "cli/destructive.v1": () =>
    import("../../schemas/cli/destructive.v1.schema.json", { with: { type: "json" } }),
  "cli/doctor.v1": () => import("../../schemas/cli/doctor.v1.schema.json", { with: { type: "json" } }),
  "cli/failure.v1": () => import("../../schemas/cli/failure.v1.schema.json", { with: { type: "json" } }),
  "cli/help.v1": () => import("../../schemas/cli/help.v1.schema.json", { with: { type: "json" } }),
  "cli/interrupted.v1": () =>
    import("../../schemas/cli/interrupted.v1.schema.json", { with: { type: "json" } }),
  "cli/key-generate.v1": () =>
    import("../../schemas/cli/key-generate.v1.schema.json", { with: { type: "json" } }),
  "cli/key-list.v1": () => import("../../schemas/cli/key-list.v1.schema.json", { with: { type: "json" } }),
  "cli/key-revoke.v1": () =>
    import("../../schemas/cli/key-revoke.v1.schema.json", { with: { type: "json" } }),
  "cli/key-trust.v1": () => import("../../schemas/cli/key-trust.v1.schema.json", { with: { type: "json" } }),
  "cli/pipeline-diff.v1": () =>
    import("../../schemas/cli/pipeline-diff.v1.schema.json", { with: { type: "json" } }),
  "cli/pipeline-export.v1": () =>
    import("../../schemas/cli/pipeline-export.v1.schema.json", { with: { type: "json" } }),
  "cli/pipeline-lint.v1": () =>
    import("../../schemas/cli/pipeline-lint.v1.schema.json", { with: { type: "json" } }),
  "cli/pipeline-list.v1": () =>
    import("../../schemas/cli/pipeline-list.v1.schema.json", { with: { type: "json" } }),
  "cli/pipeline-show.v1": () =>
    import("../../schemas/cli/pipeline-show.v1.schema.json", { with: { type: "json" } }),
  "cli/plugin-diff.v1": () =>
    import("../../schemas/cli/plugin-diff.v1.schema.json", { with: { type: "json" } }),
  "cli/plugin-gc.v1": () => import("../../schemas/cli/plugin-gc.v1.schema.json", { with: { type: "json" } }),
  "cli/plugin-grant.v1": () =>
    import("../../schemas/cli/plugin-grant.v1.schema.json", { with: { type: "json" } }),
  "cli/plugin-history.v1": () =>
    import("../../schemas/cli/plugin-history.v1.schema.json", { with: { type: "json" } }),
  "cli/plugin-info.v1": () =>
    import("../../schemas/cli/plugin-info.v1.schema.json", { with: { type: "json" } }),
  "cli/plugin-install.v1": () =>
    import("../../schemas/cli/plugin-install.v1.schema.json", { with: { type: "json" } }),
  "cli/plugin-list.v1": () =>
    import("../../schemas/cli/plugin-list.v1.schema.json", { with: { type: "json" } }),
  "cli/plugin-logs.v1": () =>
    import("../../schemas/cli/plugin-logs.v1.schema.json", { with: { type: "json" } }),
  "cli/plugin-pack.v1": () =>
    import("../../schemas/cli/plugin-pack.v1.schema.json", { with: { type: "json" } }),
  "cli/plugin-prompt.v1": () =>
    import("../../schemas/cli/plugin-prompt.v1.schema.json", { with: { type: "json" } }),
  "cli/plugin-reload.v1": () =>
    import("../../schemas/cli/plugin-reload.v1.schema.json", { with: { type: "json" } }),
  "cli/plugin-remove.v1": () =>
    import("../../schemas/cli/plugin-remove.v1.schema.json", { with: { type: "json" } }),
  "cli/plugin-resource.v1": () =>
    import("../../schemas/cli/plugin-resource.v1.schema.json", { with: { type: "json" } }),
  "cli/plugin-revoke.v1": () =>
    import("../../schemas/cli/plugin-revoke.v1.schema.json", { with: { type: "json" } }),
  "cli/plugin-rollback.v1": () =>
    import("../../schemas/cli/plugin-rollback.v1.schema.json", { with: { type: "json" } }),
  "cli/plugin-run.v1": () =>
    import("../../schemas/cli/plugin-run.v1.schema.json", { with: { type: "json" } }),
  "cli/plugin-setup.v1": () =>
    import("../../schemas/cli/plugin-setup.v1.schema.json", { with: { type: "json" } }),
  "cli/plugin-transfer-namespace.v1": () =>
    import("../../schemas/cli/plugin-transfer-namespace.v1.schema.json", { with: { type: "json" } }),
  "cli/plugin-unquarantine.v1": () =>
    import("../../schemas/cli/plugin-unquarantine.v1.schema.json", { with: { type: "json" } }),
  "cli/plugin-validate.v1": () =>
    import("../../schemas/cli/plugin-validate.v1.schema.json", { with: { type: "json" } }),
  "cli/plugin-verify.v1": () =>
    import("../../schemas/cli/plugin-verify.v1.schema.json", { with: { type: "json" } }),
  "cli/plugin-wrap.v1": () =>
    import("../../schemas/cli/plugin-wrap.v1.schema.json", { with: { type: "json" } }),
  "cli/read.v1": () => import("../../schemas/cli/read.v1.schema.json", { with: { type: "json" } }),
  "cli/sandbox-test.v1": () =>
    import("../../schemas/cli/sandbox-test.v1.schema.json", { with: { type: "json" } }),
  "cli/schema-list.v1": () =>
    import("../../schemas/cli/schema-list.v1.schema.json", { with: { type: "json" } }),
  "cli/search.v1": () => import("../../schemas/cli/search.v1.schema.json", { with: { type: "json" } }),
  "cli/setup.v1": () => import("../../schemas/cli/setup.v1.schema.json", { with: { type: "json" } }),
  "cli/trace.v1": () => import("../../schemas/cli/trace.v1.schema.json", { with: { type: "json" } }),
  "cli/version.v1": () => import("../../schemas/cli/version.v1.schema.json", { with: { type: "json" } }),
  "cli/wire-call.v1": () => import("../../schemas/cli/wire-call.v1.schema.json", { with: { type: "json" } }),
  "cli/write.v1": () => import("../../schemas/cli/write.v1.schema.json", { with: { type: "json" } }),
  "manifest.flat.v1": () => import("../../schemas/manifest.flat.v1.schema.json", { with: { type: "json" } }),
  "manifest.nested.v1": () =>
    import("../../schemas/manifest.nested.v1.schema.json", { with: { type: "json" } }),
  "manifest.v1": () => import("../../schemas/manifest.v1.schema.json", { with: { type: "json" } }),
  "mcp-plugin.v1": () => import("../../schemas/mcp-plugin.v1.schema.json", { with: { type: "json" } }),
  "mcp-plugin.v2": () => import("../../schemas/mcp-plugin.v2.schema.json", { with: { type: "json" } }),
  "pipeline.v1": () => import("../../schemas/pipeline.v1.schema.json", { with: { type: "json" } }),
  "plugin-catalog.v1": () =>
    import("../../schemas/plugin-catalog.v1.schema.json", { with: { type: "json" } }),
  "plugin-state.v1": () => import("../../schemas/plugin-state.v1.schema.json", { with: { type: "json" } }),
  "plugins-lock.v1": () => import("../../schemas/plugins-lock.v1.schema.json", { with: { type: "json" } }),
};
