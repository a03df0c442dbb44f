import * as v from "valibot";
import { type Examined, verdicts } from "../../kernel/doctor.ts";
import type { EscapeAttempt } from "../../kernel/sandbox-test.ts";
import { Text } from "./common.ts";

/** `gum doctor --json` */
export const Doctor: v.GenericSchema<unknown, Examined[]> = v.array(
  v.strictObject({ what: Text, verdict: v.picklist(verdicts), finding: Text, next: v.optional(Text) }),
);

/** `gum sandbox test --json` */
export const SandboxTest: v.GenericSchema<unknown, EscapeAttempt[]> = v.array(
  v.strictObject({
    id: Text,
    area: v.picklist(["files", "metadata", "network", "processes", "kernel", "ipc"]),
    what: Text,
    control: Text,
    confined: Text,
    verdict: v.picklist(["denied", "open", "unproven"]),
    needs_landlock_abi: v.nullable(v.number()),
  }),
);
