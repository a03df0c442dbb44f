import { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { CallRequest, Confirmation, ResolvedOp } from "../model/call.ts";
import { type ConfirmedCall, tokenLifeMs } from "../model/confirmation.ts";
import type { Profile } from "../model/profile.ts";
import { defineStep } from "../pipeline/step.ts";
import { processConfirmations, profileConfirmations, type TokenRefusal } from "../registry/confirmations.ts";

/** Calls that change or destroy something need somebody's yes: a flag, or a token that fits exactly this call. */
export const confirm = defineStep({
  name: "confirm",
  summary: "Refuse a call that changes or destroys something and that nobody confirmed.",
  needs: ["resolved", "request", "profile", "riskAccepted", "argsValid"],
  gives: ["confirmed"],
  codes: ["REQUIRES_CONFIRMATION", "CONFIRMATION_TOKEN_INVALID", "REGISTRY_IO", "REGISTRY_LOCKED"],
  async run({ resolved, request, profile }, { host, note }) {
    const { confirmation } = request;
    if (confirmation.kind === "flag") {
      if (resolved.variant.risk_class !== "read" && !confirmation.yes) throw unconfirmed(resolved);
    } else if (needsToken(resolved)) {
      await redeemToken(host, profile, { resolved, request, confirmation });
      note("the token fits");
    }
    return { confirmed: true };
  },
});

/** Destructive calls, and writes that their manifest calls high stakes (D4). */
function needsToken({ variant }: ResolvedOp): boolean {
  const { risk_class, confirmation_policy } = variant;
  return (
    risk_class === "destructive" || (risk_class === "write" && confirmation_policy === "high_stakes_write")
  );
}

function unconfirmed({ variant }: ResolvedOp): GumError {
  const { risk_class, op_id } = variant;
  return new GumError(
    "REQUIRES_CONFIRMATION",
    `"${op_id}" is a ${risk_class} operation and nobody confirmed it.`,
    { hint: "add --yes, or answer the question on a terminal", details: { risk_class } },
  );
}

interface TokenCall {
  readonly resolved: ResolvedOp;
  readonly request: CallRequest;
  readonly confirmation: Extract<Confirmation, { kind: "token" }>;
}

async function redeemToken(
  host: Host,
  profile: Profile,
  { resolved, request, confirmation }: TokenCall,
): Promise<void> {
  const { token, keySource } = confirmation;
  const { variant } = resolved;
  const tokens = keySource === "profile" ? profileConfirmations(host, profile) : processConfirmations(host);
  const call: ConfirmedCall = {
    profile: profile.name,
    variantId: variant.variant_id,
    risk: variant.risk_class,
    args: request.args,
  };
  if (token === undefined) {
    const issued = await tokens.issue(call);
    throw askForToken(resolved, { token: issued, keySource, now: host.clock.now() });
  }
  const refusal = token === "" ? ({ reason: "missing" } as const) : await tokens.redeem(call, token);
  if (refusal !== undefined) throw tokenInvalid(resolved, refusal);
}

interface Issued {
  readonly token: string;
  readonly keySource: TokenCall["confirmation"]["keySource"];
  readonly now: number;
}

function askForToken({ variant }: ResolvedOp, { token, keySource, now }: Issued): GumError {
  const { op_id, variant_id, risk_class } = variant;
  return new GumError(
    "REQUIRES_CONFIRMATION",
    `"${op_id}" is a ${risk_class} operation: call it again with the token to confirm it.`,
    {
      // A command is called again by a person or a script, who may not see the details.
      ...(keySource === "profile" ? { hint: `call it again within five minutes with --token ${token}` } : {}),
      details: {
        token,
        expires_at: new Date(now + tokenLifeMs).toISOString(),
        op_id,
        variant_id,
        risk_class,
      },
    },
  );
}

const sentences: Readonly<Record<TokenRefusal["reason"], string>> = {
  missing: "is empty",
  expired: "has expired",
  replayed: "was used before",
  altered: "is not for this call",
  "other-profile": "was made in another profile",
  "other-process": "was made by another process",
};

function tokenInvalid({ variant }: ResolvedOp, { reason, altered }: TokenRefusal): GumError {
  return new GumError(
    "CONFIRMATION_TOKEN_INVALID",
    `The confirmation token for "${variant.op_id}" ${sentences[reason]}.`,
    { details: { reason, ...(altered === undefined ? {} : { altered }) } },
  );
}
