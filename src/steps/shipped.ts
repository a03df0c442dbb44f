import activate from "../../pipelines/activate.yaml" with { type: "text" };
import ask from "../../pipelines/ask.yaml" with { type: "text" };
import canary from "../../pipelines/canary.yaml" with { type: "text" };
import dispatch from "../../pipelines/dispatch.yaml" with { type: "text" };
import install from "../../pipelines/install.yaml" with { type: "text" };
import reload from "../../pipelines/reload.yaml" with { type: "text" };
import remove from "../../pipelines/remove.yaml" with { type: "text" };
import rollback from "../../pipelines/rollback.yaml" with { type: "text" };
import setup from "../../pipelines/setup.yaml" with { type: "text" };
import validate from "../../pipelines/validate.yaml" with { type: "text" };
import verify from "../../pipelines/verify.yaml" with { type: "text" };
import type { PipelineName } from "./contracts.ts";

/** The pipeline files as they were when gum was built; what is embedded is what runs. */
export const shippedPipelines: Readonly<Record<PipelineName, string>> = {
  install,
  validate,
  canary,
  reload,
  dispatch,
  ask,
  remove,
  setup,
  activate,
  verify,
  rollback,
};
