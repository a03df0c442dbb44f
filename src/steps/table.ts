import type { AnyStep } from "../pipeline/step.ts";
import { activatePlugins } from "./activate-plugins.ts";
import { askPlugin } from "./ask-plugin.ts";
import { buildEnv } from "./build-env.ts";
import { callCanary } from "./call-canary.ts";
import { canary } from "./canary.ts";
import { checkAuth } from "./check-auth.ts";
import { checkBindings } from "./check-bindings.ts";
import { checkCredentials } from "./check-credentials.ts";
import { checkDigest } from "./check-digest.ts";
import { checkExecutable } from "./check-executable.ts";
import { checkIntegrity } from "./check-integrity.ts";
import { checkKeys } from "./check-keys.ts";
import { checkPackage } from "./check-package.ts";
import { checkProfiles } from "./check-profiles.ts";
import { checkRoots } from "./check-roots.ts";
import { checkSignature } from "./check-signature.ts";
import { checkText } from "./check-text.ts";
import { claimNamespace } from "./claim-namespace.ts";
import { clearQuarantine } from "./clear-quarantine.ts";
import { closeSession } from "./close-session.ts";
import { collect } from "./collect.ts";
import { collectCredentials } from "./collect-credentials.ts";
import { composeReload } from "./compose-reload.ts";
import { composeRollback } from "./compose-rollback.ts";
import { composeRows } from "./compose-rows.ts";
import { confirmRemoval } from "./confirm-removal.ts";
import { confirmTrust } from "./confirm-trust.ts";
import { denyEnv } from "./deny-env.ts";
import { dispatchSteps } from "./dispatch-table.ts";
import { dropRows } from "./drop-rows.ts";
import { fetch } from "./fetch.ts";
import { findGeneration } from "./find-generation.ts";
import { gateSchemaVersion } from "./gate-schema-version.ts";
import { gateShape } from "./gate-shape.ts";
import { hash } from "./hash.ts";
import { judge } from "./judge.ts";
import { loadPlugin } from "./load-plugin.ts";
import { maxSize } from "./max-size.ts";
import { openTrial } from "./open-trial.ts";
import { parseTomlOrJson } from "./parse-toml-or-json.ts";
import { pinTools } from "./pin-tools.ts";
import { prepareTrial } from "./prepare-trial.ts";
import { publishGeneration } from "./publish-generation.ts";
import { purge } from "./purge.ts";
import { recordCanary } from "./record-canary.ts";
import { requireLicense } from "./require-license.ts";
import { requireOwner } from "./require-owner.ts";
import { resolvePlugin } from "./resolve-plugin.ts";
import { resolveSchemas } from "./resolve-schemas.ts";
import { resolveTrialCredentials } from "./resolve-trial-credentials.ts";
import { scanText } from "./scan-text.ts";
import { stage } from "./stage.ts";
import { storeCredentials } from "./store-credentials.ts";
import { unpack } from "./unpack.ts";
import { validate } from "./validate.ts";
import { verifyInstalled } from "./verify-installed.ts";
import { verifyKey } from "./verify-key.ts";
import { verifyTree } from "./verify-tree.ts";

const all: readonly AnyStep[] = [
  requireLicense,
  requireOwner,
  scanText,
  maxSize,
  fetch,
  checkDigest,
  unpack,
  parseTomlOrJson,
  gateSchemaVersion,
  gateShape,
  validate,
  checkPackage,
  checkText,
  checkBindings,
  denyEnv,
  checkCredentials,
  checkAuth,
  resolveSchemas,
  checkProfiles,
  claimNamespace,
  checkExecutable,
  checkIntegrity,
  checkSignature,
  confirmTrust,
  stage,
  buildEnv,
  hash,
  canary,
  composeRows,
  publishGeneration,
  activatePlugins,
  loadPlugin,
  confirmRemoval,
  dropRows,
  collect,
  purge,
  ...dispatchSteps,
  resolvePlugin,
  askPlugin,
  verifyKey,
  verifyTree,
  verifyInstalled,
  clearQuarantine,
  collectCredentials,
  storeCredentials,
  resolveTrialCredentials,
  prepareTrial,
  openTrial,
  pinTools,
  callCanary,
  judge,
  closeSession,
  composeReload,
  recordCanary,
  findGeneration,
  checkRoots,
  checkKeys,
  composeRollback,
];

/** Every step by the name that pipeline files use. */
export const steps: Readonly<Record<string, AnyStep>> = Object.fromEntries(
  all.map((step) => [step.name, step]),
);
