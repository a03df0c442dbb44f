import type { AnyStep } from "../pipeline/step.ts";
import { activatePlugins } from "./activate-plugins.ts";
import { audit } from "./audit.ts";
import { callTool } from "./call-tool.ts";
import { canary } from "./canary.ts";
import { checkAuth } from "./check-auth.ts";
import { checkBindings } from "./check-bindings.ts";
import { checkCredentials } from "./check-credentials.ts";
import { checkExecutable } from "./check-executable.ts";
import { checkProfiles } from "./check-profiles.ts";
import { checkStatus } from "./check-status.ts";
import { checkText } from "./check-text.ts";
import { claimNamespace } from "./claim-namespace.ts";
import { collect } from "./collect.ts";
import { composeRows } from "./compose-rows.ts";
import { confirm } from "./confirm.ts";
import { confirmTrust } from "./confirm-trust.ts";
import { denyEnv } from "./deny-env.ts";
import { dropRows } from "./drop-rows.ts";
import { gateRisk } from "./gate-risk.ts";
import { gateSchemaVersion } from "./gate-schema-version.ts";
import { gateShape } from "./gate-shape.ts";
import { hash } from "./hash.ts";
import { loadPlugin } from "./load-plugin.ts";
import { mapError } from "./map-error.ts";
import { openSession } from "./open-session.ts";
import { parseTomlOrJson } from "./parse-toml-or-json.ts";
import { publishGeneration } from "./publish-generation.ts";
import { resolveOp } from "./resolve-op.ts";
import { resolveSchemas } from "./resolve-schemas.ts";
import { scrubEnv } from "./scrub-env.ts";
import { stage } from "./stage.ts";
import { validate } from "./validate.ts";
import { verifyExecutable } from "./verify-executable.ts";

const all: readonly AnyStep[] = [
  parseTomlOrJson,
  gateSchemaVersion,
  gateShape,
  validate,
  checkText,
  checkBindings,
  denyEnv,
  checkCredentials,
  checkAuth,
  resolveSchemas,
  checkProfiles,
  claimNamespace,
  checkExecutable,
  confirmTrust,
  stage,
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
  confirm,
  verifyExecutable,
  scrubEnv,
  openSession,
  callTool,
  mapError,
  audit,
];

/** Every step by the name that pipeline files use. */
export const steps: Readonly<Record<string, AnyStep>> = Object.fromEntries(
  all.map((step) => [step.name, step]),
);
