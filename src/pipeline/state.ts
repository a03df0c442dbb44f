import type { OpenFile } from "../host/host.ts";
import type { CallRequest, ResolvedOp } from "../model/call.ts";
import type { CacheLookup, CallRuntime, Verified } from "../model/call-runtime.ts";
import type { AskConsent } from "../model/consent.ts";
import type { Credentials } from "../model/credentials.ts";
import type { ManifestDocument } from "../model/document.ts";
import type {
  Artifact,
  Binding,
  Built,
  CanaryReport,
  Claim,
  ConsentGiven,
  InstallFlags,
  Integrity,
  PackageSignature,
  ProgramKind,
  Source,
  Staged,
  Verification,
  VerifyDepth,
  Workplace,
} from "../model/install.ts";
import type { Plugin } from "../model/plugin.ts";
import type { PreparedStart } from "../model/prepared-start.ts";
import type { Profile } from "../model/profile.ts";
import type { Question } from "../model/question.ts";
import type { LockRow } from "../model/registry.ts";
import type { ResolvedSchema } from "../model/schema-bundle.ts";
import type { Answer, Session, Success } from "../model/session.ts";
import type { Purged, RemovalRequest, SetupRequest } from "../model/setup.ts";
import type { RegistryUpdate, RollbackTarget } from "../model/transaction.ts";
import type { OpenTrial, PinOutcome, TrialCall, TrialRequest, TrialVerdict } from "../model/trial.ts";

/** Everything that a pipeline can know. One key, one writer per run. Keys typed `true` are proofs alone. */
export interface PipelineState {
  // given at the start
  profile: Profile;
  source: Source;
  flags: InstallFlags;
  request: CallRequest;
  runtime: CallRuntime;
  question: Question;
  pluginId: string;
  askConsent: AskConsent;

  // install: from where
  artifact: Artifact;
  /** Null until something has to be written; a folder is checked where it lies. */
  staging: Workplace | null;
  /** SHA-256 of the archive; null for what is none. */
  digestChecked: string | null;
  /** The plugin's files, unpacked and not yet trusted. */
  folder: string;

  // install
  document: ManifestDocument;
  schemaVersion: 1;
  shapeAllowed: true;
  plugin: Plugin;
  packageChecked: true;
  safeText: true;
  bindingsChecked: true;
  cleanEnv: readonly string[];
  credentialsChecked: true;
  authChecked: true;
  schemas: readonly ResolvedSchema[];
  profilesChecked: true;
  claim: Claim;
  executableFound: ProgramKind;
  integrity: Integrity;
  signature: PackageSignature;
  consent: ConsentGiven;
  staged: Staged;
  built: Built;
  binding: Binding;
  canaryReport: CanaryReport;
  update: RegistryUpdate;
  generation: number;

  // remove
  installed: LockRow;
  removal: RemovalRequest;
  removalConfirmed: true;
  purged: Purged;

  // setup: values by alias, and the aliases of those that were kept anew
  setupRequest: SetupRequest;
  collected: ReadonlyMap<string, string>;
  stored: readonly string[];

  // verify
  depth: VerifyDepth;
  keyAccepted: true;
  verification: Verification;

  // canary and reload
  trialRequest: TrialRequest;
  /** The executable that was hashed, still open: this descriptor is what runs. */
  trialProgram: OpenFile;
  trialCredentials: Credentials;
  trialStart: PreparedStart<OpenFile>;
  trial: OpenTrial;
  pinOutcome: PinOutcome;
  trialCall: TrialCall | null;
  verdict: TrialVerdict;
  trialClosed: true;
  clearable: true;

  // rollback: the wanted generation; null is the one before the last change
  rollbackTo: number | null;
  target: RollbackTarget;
  rootsIntact: true;
  keysAccepted: true;

  // dispatch
  resolved: ResolvedOp;
  callable: true;
  riskAccepted: true;
  argsValid: true;
  confirmed: true;
  rateAllowed: true;
  auditReady: true;
  cached: CacheLookup;
  /** The executable that was hashed, still open (this descriptor is what runs), or a process that it has become. */
  verified: Verified<OpenFile>;
  /** Null when nothing has to be started. */
  credentials: Credentials | null;
  /** Null when nothing has to be started. */
  prepared: PreparedStart<OpenFile> | null;
  /** Null when a remembered answer stands in for the plugin. */
  session: Session | null;
  answer: Answer;
  /** What an asked plugin said. */
  reply: unknown;
  payload: Success;
  resultChecked: true;
}

export type StateKey = keyof PipelineState;
