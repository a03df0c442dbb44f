import { checkSchemaVersion } from "../manifest/checks/schema-version.ts";
import { defineStep } from "../pipeline/step.ts";
import { refuse } from "./refuse.ts";

/** Refuse a manifest whose schema version gum does not know. */
export const gateSchemaVersion = defineStep({
  name: "gate-schema-version",
  summary: "Refuse a manifest whose schema version gum does not know.",
  needs: ["document"],
  gives: ["schemaVersion"],
  codes: ["PLUGIN_MANIFEST_SCHEMA_UNSUPPORTED"],
  run({ document }) {
    refuse(checkSchemaVersion(document));
    return { schemaVersion: 1 };
  },
});
