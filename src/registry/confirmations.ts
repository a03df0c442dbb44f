// D4: who keeps the key of confirmation tokens, and which tokens were used. Key and used tokens are kept together, so
// that forgetting what was used always forgets the key as well, and no token can be used twice.
import { join } from "node:path/posix";
import type { Host } from "../host/host.ts";
import {
  type Alteration,
  type ConfirmedCall,
  examineToken,
  issueToken,
  type TokenFault,
} from "../model/confirmation.ts";
import type { RegistryHome } from "./folders.ts";
import { changeKeptFile, readKept } from "./kept-file.ts";

export interface Confirmations {
  /** A new token for this call. */
  issue(call: ConfirmedCall): Promise<string>;
  /** Uses the token up; the reason when it is not good for this call. */
  redeem(call: ConfirmedCall, token: string): Promise<TokenRefusal | undefined>;
}

export interface TokenRefusal {
  readonly reason: TokenFault;
  readonly altered?: Alteration;
}

interface Kept {
  readonly key: string;
  /** When each used token expires, by its nonce. */
  readonly used: ReadonlyMap<string, number>;
}

const keyDigits = 64;
const nonceDigits = 16;
/** More used tokens than this at once, and the key is replaced: every open token is void then, used or not. */
const maxUsed = 4096;

/** Tokens of the commands of one profile: the key lies in the profile, so that two commands can do the two halves. */
export function profileConfirmations(host: Host, home: RegistryHome): Confirmations {
  const path = join(home.dataDir, "confirmations.json");
  return confirmations(host, (change) =>
    changeKeptFile(host, home, path, (text) => {
      const { kept, result } = change(readKeptKey(text) ?? newKey(host));
      return { text: keptText(kept), result };
    }),
  );
}

const ofProcess = new WeakMap<Host, Confirmations>();

/** Tokens of this process alone, as a server gives them out. */
export function processConfirmations(host: Host): Confirmations {
  const known = ofProcess.get(host);
  if (known !== undefined) return known;
  let current = newKey(host);
  const made = confirmations(host, async (change) => {
    const { kept, result } = change(current);
    current = kept;
    return result;
  });
  ofProcess.set(host, made);
  return made;
}

type Keeper = <T>(change: (kept: Kept) => { kept: Kept; result: T }) => Promise<T>;

function confirmations(host: Host, keep: Keeper): Confirmations {
  return {
    issue: (call) =>
      keep((kept) => {
        const now = host.clock.now();
        return {
          kept: forgetExpired(kept, now),
          result: issueToken({ hex: kept.key }, call, host.randomHex(nonceDigits), now),
        };
      }),
    redeem: (call, token) => keep((kept) => redeem(host, kept, call, token)),
  };
}

function redeem(
  host: Host,
  kept: Kept,
  call: ConfirmedCall,
  token: string,
): { kept: Kept; result: TokenRefusal | undefined } {
  const now = host.clock.now();
  const verdict = examineToken({ hex: kept.key }, call, token, now);
  if (!verdict.ok) {
    if (verdict.reason === "altered")
      return { kept, result: { reason: "altered", altered: verdict.altered } };
    return { kept, result: { reason: verdict.reason === "other-key" ? "other-process" : verdict.reason } };
  }
  if (kept.used.has(verdict.nonce)) return { kept, result: { reason: "replayed" } };
  const rest = forgetExpired(kept, now);
  if (rest.used.size >= maxUsed) return { kept: newKey(host), result: undefined };
  return {
    kept: { key: rest.key, used: new Map([...rest.used, [verdict.nonce, verdict.expiresAt]]) },
    result: undefined,
  };
}

function forgetExpired({ key, used }: Kept, now: number): Kept {
  return { key, used: new Map([...used].filter(([, expiresAt]) => expiresAt > now)) };
}

function newKey(host: Host): Kept {
  return { key: host.randomHex(keyDigits), used: new Map() };
}

/** What the file says; undefined when it says nothing that can be relied on, which makes every open token void. */
function readKeptKey(text: string): Kept | undefined {
  const value = readKept(text);
  const key = value?.key;
  const used = value?.used;
  if (typeof key !== "string" || !/^[0-9a-f]{64}$/.test(key)) return undefined;
  if (typeof used !== "object" || used === null) return undefined;
  const entries = Object.entries(used).map(([nonce, at]) => [nonce, Number(at)] as const);
  return { key, used: new Map(entries) };
}

function keptText({ key, used }: Kept): string {
  return `${JSON.stringify({ key, used: Object.fromEntries(used) })}\n`;
}
