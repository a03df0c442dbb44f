import type { AnyStep } from "../pipeline/step.ts";
import { activatePlugins } from "./activate-plugins.ts";
import { askPlugin } from "./ask-plugin.ts";
import { audit } from "./audit.ts";
import { buildEnv } from "./build-env.ts";
import { callCanary } from "./call-canary.ts";
import { callTool } from "./call-tool.ts";
import { canary } from "./canary.ts";
import { checkAuth } from "./check-auth.ts";
import { checkBindings } from "./check-bindings.ts";
import { checkCredentials } from "./check-credentials.ts";
import { checkDigest } from "./check-digest.ts";
import { checkExecutable } from "./check-executable.ts";
import { checkIntegrity } from "./check-integrity.ts";
import { checkPackage } from "./check-package.ts";
import { checkProfiles } from "./check-profiles.ts";
import { checkRate } from "./check-rate.ts";
import { checkRoots } from "./check-roots.ts";
import { checkSignature } from "./check-signature.ts";
import { checkStatus } from "./check-status.ts";
import { checkText } from "./check-text.ts";
import { claimNamespace } from "./claim-namespace.ts";
import { clearQuarantine } from "./clear-quarantine.ts";
import { closeSession } from "./close-session.ts";
import { collect } from "./collect.ts";
import { composeReload } from "./compose-reload.ts";
import { composeRollback } from "./compose-rollback.ts";
import { composeRows } from "./compose-rows.ts";
import { confirm } from "./confirm.ts";
import { confirmTrust } from "./confirm-trust.ts";
import { denyEnv } from "./deny-env.ts";
import { dropRows } from "./drop-rows.ts";
import { fetch } from "./fetch.ts";
import { findGeneration } from "./find-generation.ts";
import { gateRisk } from "./gate-risk.ts";
import { gateSchemaVersion } from "./gate-schema-version.ts";
import { gateShape } from "./gate-shape.ts";
import { hash } from "./hash.ts";
import { judge } from "./judge.ts";
import { loadPlugin } from "./load-plugin.ts";
import { mapError } from "./map-error.ts";
import { openSession } from "./open-session.ts";
import { openTrial } from "./open-trial.ts";
import { parseTomlOrJson } from "./parse-toml-or-json.ts";
import { pinTools } from "./pin-tools.ts";
import { prepareTrial } from "./prepare-trial.ts";
import { publishGeneration } from "./publish-generation.ts";
import { readCache } from "./read-cache.ts";
import { recordCanary } from "./record-canary.ts";
import { recordOutcome } from "./record-outcome.ts";
import { resolveOp } from "./resolve-op.ts";
import { resolvePlugin } from "./resolve-plugin.ts";
import { resolveSchemas } from "./resolve-schemas.ts";
import { scrubEnv } from "./scrub-env.ts";
import { stage } from "./stage.ts";
import { unpack } from "./unpack.ts";
import { validate } from "./validate.ts";
import { validateArgs } from "./validate-args.ts";
import { validateResult } from "./validate-result.ts";
import { verifyExecutable } from "./verify-executable.ts";
import { verifyInstalled } from "./verify-installed.ts";
import { verifyKey } from "./verify-key.ts";
import { verifyTree } from "./verify-tree.ts";
import { writeCache } from "./write-cache.ts";

const all: readonly AnyStep[] = [
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
  dropRows,
  collect,
  resolveOp,
  checkStatus,
  gateRisk,
  validateArgs,
  confirm,
  checkRate,
  readCache,
  verifyExecutable,
  scrubEnv,
  openSession,
  callTool,
  mapError,
  validateResult,
  writeCache,
  recordOutcome,
  resolvePlugin,
  askPlugin,
  verifyKey,
  verifyTree,
  verifyInstalled,
  clearQuarantine,
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
  composeRollback,
  audit,
];

/** Every step by the name that pipeline files use. */
export const steps: Readonly<Record<string, AnyStep>> = Object.fromEntries(
  all.map((step) => [step.name, step]),
);
