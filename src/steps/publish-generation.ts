import { defineStep } from "../pipeline/step.ts";
import { publish } from "../registry/generations.ts";

/** Carries the change out as one transaction; until its last rename nothing of it is visible. */
export const publishGeneration = defineStep({
  name: "publish-generation",
  summary: "Write the three registry files as a new generation and make it current.",
  needs: ["profile", "update"],
  gives: ["generation"],
  commits: true,
  codes: [
    "REGISTRY_LOCKED",
    "REGISTRY_IO",
    "PLUGIN_NAMESPACE_CONFLICT",
    "SCHEMA_REF_COLLISION",
    "PLUGIN_BINDING_INVALID",
    "PLUGIN_NOT_FOUND",
  ],
  async run({ profile, update }, { host, signal, note }) {
    const { change, command, schemas } = update;
    const { generation } = await publish(host, profile, change, { command, schemas, signal });
    note(`generation ${generation}`);
    return { generation };
  },
});
