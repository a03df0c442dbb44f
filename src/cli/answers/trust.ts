import * as v from "valibot";
import type {
  AuditVerifyAnswer,
  ConfigChangeAnswer,
  ConfigView,
  GcAnswer,
  HistoryView,
  KeyChangeAnswer,
  KeyGenerateAnswer,
  KeyView,
  PackAnswer,
  RollbackAnswer,
  TransferAnswer,
  VerifyAnswer,
  VerifyFileAnswer,
} from "../../kernel/answers-trust.ts";
import { AuditRow } from "../../model/audit.ts";
import { GenerationChange } from "../../model/generation.ts";
import { Code, Count, Sha256, Text, WarningModel } from "./common.ts";

const ok = v.literal(true);
const KeyId = v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/));
const warnings = v.array(WarningModel);

/** `gum key generate --json` */
export const KeyGenerated: v.GenericSchema<unknown, KeyGenerateAnswer> = v.strictObject({
  ok,
  id: KeyId,
  name: v.nullable(Text),
  private_file: Text,
  public_file: Text,
});

/** `gum key list --json` */
export const KeyList: v.GenericSchema<unknown, KeyView[]> = v.array(
  v.strictObject({
    id: KeyId,
    name: v.nullable(Text),
    kind: v.picklist(["ed25519", "rsa"]),
    own: v.boolean(),
    state: v.picklist(["trusted", "revoked", "untrusted"]),
  }),
);

/** `gum key trust --json` and `gum key revoke --json` */
export const KeyChanged: v.GenericSchema<unknown, KeyChangeAnswer> = v.strictObject({
  ok,
  id: KeyId,
  state: v.picklist(["trusted", "revoked"]),
  changed: v.boolean(),
});

/** `gum plugin pack --json` */
export const Packed: v.GenericSchema<unknown, PackAnswer> = v.strictObject({
  ok,
  file: Text,
  sha256: Sha256,
  size: Count,
  entries: Count,
  plugin: Text,
  version: Text,
  signature: v.nullable(v.strictObject({ file: Text, key_id: KeyId })),
  warnings,
});

const VerifiedPlugins: v.GenericSchema<unknown, VerifyAnswer> = v.strictObject({
  ok: v.boolean(),
  deep: v.boolean(),
  registry: v.strictObject({ generation: Count, altered: v.array(Text) }),
  plugins: v.array(
    v.strictObject({
      id: Text,
      version: Text,
      ok: v.boolean(),
      code: v.nullable(Code),
      message: v.nullable(Text),
      entries: v.nullable(Count),
      hashed: v.nullable(Count),
      signature: v.strictObject({ verified: v.boolean(), key_id: v.nullable(Text) }),
      details: v.nullable(v.record(v.string(), v.unknown())),
    }),
  ),
  warnings,
});

const VerifiedFile: v.GenericSchema<unknown, VerifyFileAnswer> = v.strictObject({
  ok: v.boolean(),
  file: Text,
  sha256: Sha256,
  size: Count,
  signature: v.strictObject({
    state: v.picklist(["verified", "unsigned", "untrusted", "invalid", "revoked"]),
    key_id: v.nullable(Text),
    reason: v.nullable(Text),
  }),
});

/** `gum plugin verify --json`, of plugins or of a file. */
export const Verified: v.GenericSchema<unknown, VerifyAnswer | VerifyFileAnswer> = v.union([
  VerifiedPlugins,
  VerifiedFile,
]);

/** `gum plugin history --json` */
export const History: v.GenericSchema<unknown, HistoryView[]> = v.array(
  v.strictObject({
    generation: Count,
    txid: Text,
    at: Text,
    command: Text,
    changes: v.array(GenerationChange),
    current: v.boolean(),
  }),
);

/** `gum plugin rollback --json` */
export const RolledBack: v.GenericSchema<unknown, RollbackAnswer> = v.strictObject({
  ok,
  to: Count,
  generation: Count,
  plugins: v.array(v.strictObject({ id: Text, version: Text })),
  warnings,
});

/** `gum plugin gc --json` */
export const CollectedUnused: v.GenericSchema<unknown, GcAnswer> = v.strictObject({
  ok,
  roots: Count,
  schemas: Count,
  in_use: Count,
});

/** `gum plugin transfer-namespace --json` */
export const Transferred: v.GenericSchema<unknown, TransferAnswer> = v.strictObject({
  ok,
  prefix: Text,
  from: Text,
  to: v.nullable(Text),
  generation: Count,
});

/** `gum audit verify --json` */
export const AuditVerified: v.GenericSchema<unknown, AuditVerifyAnswer> = v.strictObject({
  ok,
  rows: Count,
  parts: Count,
  first_seq: Count,
  head: v.strictObject({ seq: Count, sha256: Sha256 }),
  torn: v.boolean(),
  anchored: Count,
});

/** `gum audit tail --json` */
export const AuditRows = v.array(AuditRow);

/** `gum audit show --json` */
export const ShownAuditRow = AuditRow;

const Value = v.nullable(v.union([v.boolean(), v.number(), Text, v.array(Text)]));
const Origin = v.picklist(["default", "file", "env"]);

/** `gum config get --json` */
export const ConfigGot: v.GenericSchema<unknown, ConfigView> = v.strictObject({
  key: Text,
  value: Value,
  origin: Origin,
  secret: v.boolean(),
  summary: Text,
});

/** `gum config list --json` */
export const ConfigList: v.GenericSchema<unknown, ConfigView[]> = v.array(ConfigGot);

/** `gum config set --json` and `gum config unset --json` */
export const ConfigChanged: v.GenericSchema<unknown, ConfigChangeAnswer> = v.strictObject({
  ok,
  key: Text,
  value: Value,
  origin: Origin,
  changed: v.boolean(),
  warnings,
});
