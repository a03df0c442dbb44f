import type * as v from "valibot";
import { PluginLogs, Prompted, ResourceRead } from "./answers/ask.ts";
import { Canaries, Drift, Reloaded, Unquarantined } from "./answers/canary.ts";
import { Described, SearchHits, Skeleton } from "./answers/catalog.ts";
import { CredentialsSetUp } from "./answers/credentials.ts";
import { Completion, Failure, Help, Interrupted, SchemaList, TraceLine, Version } from "./answers/general.ts";
import { GrantsChanged } from "./answers/grants.ts";
import { Doctor, SandboxTest } from "./answers/machine.ts";
import { Differences, Exported, Linted, PipelineList, ShownPipeline } from "./answers/pipeline.ts";
import { Called, Installed, PluginInfo, PluginList, Removed, Validated } from "./answers/plugin.ts";
import { SetUp } from "./answers/setup.ts";
import {
  AuditRows,
  AuditVerified,
  CollectedUnused,
  ConfigChanged,
  ConfigGot,
  ConfigList,
  History,
  KeyChanged,
  KeyGenerated,
  KeyList,
  Packed,
  RolledBack,
  ShownAuditRow,
  Transferred,
  Verified,
} from "./answers/trust.ts";
import { WireCalled } from "./answers/wire.ts";
import { Wrapped } from "./answers/wrap.ts";

/** The model of every JSON answer, by the path of its file in schemas/ without the ending. */
export const cliSchemas: Readonly<Record<string, v.GenericSchema>> = {
  "cli/audit-show.v1": ShownAuditRow,
  "cli/audit-tail.v1": AuditRows,
  "cli/audit-verify.v1": AuditVerified,
  "cli/call.v1": Called,
  "cli/canary.v1": Canaries,
  "cli/completion.v1": Completion,
  "cli/config-get.v1": ConfigGot,
  "cli/config-list.v1": ConfigList,
  "cli/config-set.v1": ConfigChanged,
  "cli/config-unset.v1": ConfigChanged,
  "cli/describe.v1": Described,
  "cli/describe-skeleton.v1": Skeleton,
  "cli/destructive.v1": Called,
  "cli/doctor.v1": Doctor,
  "cli/failure.v1": Failure,
  "cli/help.v1": Help,
  "cli/interrupted.v1": Interrupted,
  "cli/key-generate.v1": KeyGenerated,
  "cli/key-list.v1": KeyList,
  "cli/key-revoke.v1": KeyChanged,
  "cli/key-trust.v1": KeyChanged,
  "cli/pipeline-diff.v1": Differences,
  "cli/pipeline-export.v1": Exported,
  "cli/pipeline-lint.v1": Linted,
  "cli/pipeline-list.v1": PipelineList,
  "cli/pipeline-show.v1": ShownPipeline,
  "cli/plugin-gc.v1": CollectedUnused,
  "cli/plugin-grant.v1": GrantsChanged,
  "cli/plugin-history.v1": History,
  "cli/plugin-diff.v1": Drift,
  "cli/plugin-info.v1": PluginInfo,
  "cli/plugin-install.v1": Installed,
  "cli/plugin-list.v1": PluginList,
  "cli/plugin-logs.v1": PluginLogs,
  "cli/plugin-pack.v1": Packed,
  "cli/plugin-prompt.v1": Prompted,
  "cli/plugin-reload.v1": Reloaded,
  "cli/plugin-remove.v1": Removed,
  "cli/plugin-resource.v1": ResourceRead,
  "cli/plugin-revoke.v1": GrantsChanged,
  "cli/plugin-rollback.v1": RolledBack,
  "cli/plugin-run.v1": Called,
  "cli/plugin-setup.v1": CredentialsSetUp,
  "cli/plugin-transfer-namespace.v1": Transferred,
  "cli/plugin-unquarantine.v1": Unquarantined,
  "cli/plugin-validate.v1": Validated,
  "cli/plugin-verify.v1": Verified,
  "cli/plugin-wrap.v1": Wrapped,
  "cli/read.v1": Called,
  "cli/sandbox-test.v1": SandboxTest,
  "cli/schema-list.v1": SchemaList,
  "cli/search.v1": SearchHits,
  "cli/setup.v1": SetUp,
  "cli/trace.v1": TraceLine,
  "cli/version.v1": Version,
  "cli/wire-call.v1": WireCalled,
  "cli/write.v1": Called,
};
