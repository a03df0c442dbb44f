import type { AnyStep } from "../pipeline/step.ts";
import { audit } from "./audit.ts";
import { callTool } from "./call-tool.ts";
import { checkRate } from "./check-rate.ts";
import { checkStatus } from "./check-status.ts";
import { confirm } from "./confirm.ts";
import { gateRisk } from "./gate-risk.ts";
import { mapError } from "./map-error.ts";
import { openAudit } from "./open-audit.ts";
import { openSession } from "./open-session.ts";
import { readCache } from "./read-cache.ts";
import { recordOutcome } from "./record-outcome.ts";
import { resolveCredentials } from "./resolve-credentials.ts";
import { resolveOp } from "./resolve-op.ts";
import { scrubEnv } from "./scrub-env.ts";
import { validateArgs } from "./validate-args.ts";
import { validateResult } from "./validate-result.ts";
import { verifyExecutable } from "./verify-executable.ts";
import { writeCache } from "./write-cache.ts";

/** The steps of the dispatch pipeline, which a call can load without those of an install. */
export const dispatchSteps: readonly AnyStep[] = [
  resolveOp,
  checkStatus,
  gateRisk,
  validateArgs,
  confirm,
  checkRate,
  readCache,
  openAudit,
  verifyExecutable,
  resolveCredentials,
  scrubEnv,
  openSession,
  callTool,
  mapError,
  validateResult,
  writeCache,
  recordOutcome,
  audit,
];
