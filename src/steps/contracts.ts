import type { Contracts } from "../pipeline/pipeline.ts";

/**
 * What each pipeline starts with and must end with. Most of the order is said by proof keys (a gate gives what a
 * later step needs); the pairs here are what cannot be said that way.
 */
export const contracts = {
  install: {
    input: { profile: "profile", source: "source", flags: "install-flags", askConsent: "question" },
    gives: ["plugin", "binding", "canaryReport", "generation"],
    order: [],
    last: "publish-generation",
  },
  validate: {
    input: { profile: "profile", source: "source", flags: "install-flags" },
    gives: ["plugin"],
    order: [],
  },
  dispatch: {
    input: { profile: "profile", request: "call", runtime: "call-runtime" },
    gives: ["resolved", "cached", "payload"],
    order: [["record-outcome", "audit"]],
    last: "write-cache",
  },
  ask: {
    input: { profile: "profile", question: "question", runtime: "call-runtime" },
    gives: ["resolved", "reply"],
    order: [["record-outcome", "audit"]],
    last: "ask-plugin",
  },
  remove: {
    input: { profile: "profile", pluginId: "plugin-id", removal: "removal" },
    gives: ["installed", "generation", "purged"],
    order: [["collect", "purge"]],
    last: "purge",
  },
  setup: {
    input: {
      profile: "profile",
      pluginId: "plugin-id",
      setupRequest: "setup-request",
      trialRequest: "trial-request",
    },
    gives: ["installed", "stored", "verdict"],
    order: [
      ["store-credentials", "resolve-trial-credentials"],
      ["record-canary", "audit"],
    ],
    last: "close-session",
  },
  activate: {
    input: { profile: "profile" },
    gives: ["generation"],
    order: [],
    last: "publish-generation",
  },
  verify: {
    input: { profile: "profile", pluginId: "plugin-id", depth: "depth" },
    gives: ["installed", "verification"],
    order: [],
    last: "verify-tree",
  },
  canary: {
    input: { profile: "profile", pluginId: "plugin-id", trialRequest: "trial-request" },
    gives: ["installed", "trial", "pinOutcome", "verdict"],
    order: [["record-canary", "audit"]],
    last: "close-session",
  },
  reload: {
    input: { profile: "profile", pluginId: "plugin-id", depth: "depth", trialRequest: "trial-request" },
    gives: ["installed", "trial", "pinOutcome", "verdict", "generation"],
    order: [
      ["verify-tree", "prepare-trial"],
      ["clear-quarantine", "prepare-trial"],
      ["clear-quarantine", "resolve-trial-credentials"],
      ["record-canary", "audit"],
    ],
    last: "publish-generation",
  },
  rollback: {
    input: { profile: "profile", rollbackTo: "generation" },
    gives: ["target", "generation"],
    order: [],
    last: "publish-generation",
  },
} as const satisfies Contracts;

export type PipelineName = keyof typeof contracts;
