import { GumError } from "../base/errors.ts";
import type { AskConsent, ConsentSummary } from "../model/consent.ts";
import { coversRequest, wantedConsent } from "../model/consent-scope.ts";
import { credentialNeeds, credentialVariables } from "../model/credentials.ts";
import { joinGrants } from "../model/grants.ts";
import type { ConsentGiven, PackageSignature } from "../model/install.ts";
import type { Plugin } from "../model/plugin.ts";
import type { Grants, Lock } from "../model/registry.ts";
import { defineStep } from "../pipeline/step.ts";
import { readRegistry } from "../registry/read-registry.ts";
import { sourceText } from "../source/parse-source.ts";

/** Installing is running somebody's code: a person, a flag or an earlier consent has to say yes. */
export const confirmTrust = defineStep({
  name: "confirm-trust",
  summary: "Show who made the plugin and what it may do, and ask.",
  // Nobody is asked about a plugin that would be refused anyway, nor shown a text that was not checked.
  needs: [
    "plugin",
    "source",
    "flags",
    "profile",
    "claim",
    "askConsent",
    "packageChecked",
    "safeText",
    "cleanEnv",
    "executableFound",
    "signature",
  ],
  gives: ["consent"],
  codes: ["TRUST_NOT_CONFIRMED"],
  async run({ plugin, source, flags, profile, claim, askConsent, signature }, { host, note, warn }) {
    if (plugin.shape !== "handshake-plugin" && flags.grants.capabilities.length > 0) {
      warn({
        message: `--grant changes nothing: "${plugin.id}" is no handshake-plugin and has no capabilities`,
      });
    }
    const { lock } = await readRegistry(host, profile);
    const grants = joinGrants(flags.grants, standingGrants(lock, plugin, claim.owner));
    const summary = summarise(plugin, sourceText(source), grants, signature);
    const { how, capabilities } = isRemembered(lock, plugin, grants, claim.owner)
      ? ({ how: "remembered", capabilities: [] } as const)
      : await ask(askConsent, summary, flags.yes, profile.isDev);
    note(howText[how]);
    return { consent: { how, grants: joinGrants(grants, { ...noGrants, capabilities: [...capabilities] }) } };
  },
});

type How = ConsentGiven["how"];

const howText: Readonly<Record<How, string>> = {
  asked: "a person said yes",
  flag: "--yes",
  "dev-profile": "implied on a dev profile",
  remembered: "nothing wider than what was accepted before",
};

const noGrants: Grants = { read: [], write: [], shm: false, capabilities: [] };

/** What the operator has granted to the version that is installed stays granted to the next one of the same owner. */
function standingGrants(lock: Lock, plugin: Plugin, owner: string): Grants {
  const row = lock.plugins.find(
    ({ name, namespace_owner }) => name === plugin.id && namespace_owner === owner,
  );
  return row?.granted_capabilities ?? noGrants;
}

/** Whether the same owner was once allowed at least as much. */
function isRemembered(lock: Lock, plugin: Plugin, grants: Grants, owner: string): boolean {
  const row = lock.namespaces.find(({ prefix }) => prefix === plugin.id);
  if (row === undefined || row.namespace_owner !== owner || row.consent === null) return false;
  return coversRequest(row.consent, wantedConsent(plugin, grants));
}

async function ask(
  askConsent: AskConsent,
  summary: ConsentSummary,
  yes: boolean,
  isDev: boolean,
): Promise<{ readonly how: How; readonly capabilities: readonly string[] }> {
  const answered = yes ? "flag" : isDev ? "dev-profile" : undefined;
  const answer = await askConsent(summary, answered);
  // A yes that nobody was asked for is no yes to a capability (W18).
  if (answered !== undefined) return { how: answered, capabilities: [] };
  if (answer === true) return { how: "asked", capabilities: [] };
  if (typeof answer === "object") return { how: "asked", capabilities: answer.capabilities };
  throw new GumError(
    "TRUST_NOT_CONFIRMED",
    answer === false
      ? `You did not agree to install "${summary.id}".`
      : `Nobody is here to agree to install "${summary.id}".`,
    {
      details: { consent: summary },
      ...(answer === false ? { hint: "nothing was installed; run the command again to be asked again" } : {}),
    },
  );
}

function summarise(
  plugin: Plugin,
  source: string,
  granted: Grants,
  signature: PackageSignature,
): ConsentSummary {
  return {
    id: plugin.id,
    name: plugin.title,
    version: plugin.version,
    owner: plugin.namespace_owner,
    source,
    signed_by: signature.verified ? signature.keyId : null,
    license: plugin.license,
    tos_status: plugin.tos_status,
    risk: plugin.risk,
    tools: plugin.tools.map(({ name, risk_class }) => ({ name, risk_class })),
    network: plugin.network,
    writes:
      plugin.fs_write_dir === "" ? "its own data folder" : `${plugin.fs_write_dir} in its own data folder`,
    env: [...new Set([...plugin.env_allow, ...credentialVariables(plugin)])],
    credentials: credentialNeeds(plugin).map(({ displayName, from }) =>
      from === "command" ? `${displayName} (your Google access token, forwarded)` : displayName,
    ),
    granted,
    requested: {
      ...plugin.requests,
      capabilities: plugin.capabilities.filter((name) => !granted.capabilities.includes(name)),
    },
  };
}
