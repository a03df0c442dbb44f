import type * as v from "valibot";
import { Described, SearchHits } from "./answers/catalog.ts";
import { Completion, Failure, Help, SchemaList, TraceLine, Version } from "./answers/general.ts";
import { Differences, Exported, Linted, PipelineList, ShownPipeline } from "./answers/pipeline.ts";
import { Called, Installed, PluginInfo, PluginList, Removed, Validated } from "./answers/plugin.ts";

/** The model of every JSON answer, by the path of its file in schemas/ without the ending. */
export const cliSchemas: Readonly<Record<string, v.GenericSchema>> = {
  "cli/completion.v1": Completion,
  "cli/describe.v1": Described,
  "cli/failure.v1": Failure,
  "cli/help.v1": Help,
  "cli/pipeline-diff.v1": Differences,
  "cli/pipeline-export.v1": Exported,
  "cli/pipeline-lint.v1": Linted,
  "cli/pipeline-list.v1": PipelineList,
  "cli/pipeline-show.v1": ShownPipeline,
  "cli/plugin-info.v1": PluginInfo,
  "cli/plugin-install.v1": Installed,
  "cli/plugin-list.v1": PluginList,
  "cli/plugin-remove.v1": Removed,
  "cli/plugin-run.v1": Called,
  "cli/plugin-validate.v1": Validated,
  "cli/schema-list.v1": SchemaList,
  "cli/search.v1": SearchHits,
  "cli/trace.v1": TraceLine,
  "cli/version.v1": Version,
};
