import { GumError } from "../base/errors.ts";
import type { AskConsent, ConsentSummary } from "../model/consent.ts";
import { coversRequest, wantedConsent } from "../model/consent-scope.ts";
import type { ConsentGiven, InstallFlags } from "../model/install.ts";
import type { Plugin } from "../model/plugin.ts";
import { defineStep } from "../pipeline/step.ts";
import { readRegistry } from "../registry/generations.ts";

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
    "safeText",
    "cleanEnv",
    "executableFound",
  ],
  gives: ["consent"],
  codes: ["TRUST_NOT_CONFIRMED"],
  async run({ plugin, source, flags, profile, claim, askConsent }, { host, note }) {
    const given = async (): Promise<ConsentGiven["how"]> => {
      const { lock } = await readRegistry(host, profile);
      const row = lock.namespaces.find((candidate) => candidate.prefix === plugin.id);
      const remembered = row?.namespace_owner === claim.owner ? row.consent : null;
      if (
        remembered !== null &&
        remembered !== undefined &&
        coversRequest(remembered, wantedConsent(plugin, flags.grants))
      ) {
        return "remembered";
      }
      const summary = summarise(plugin, source.path, flags);
      if (flags.yes) return "flag";
      const answer = await ask(askConsent, summary, profile.isDev);
      return answer;
    };
    const how = await given();
    note(howText[how]);
    return { consent: { how, grants: flags.grants } };
  },
});

const howText: Readonly<Record<ConsentGiven["how"], string>> = {
  asked: "a person said yes",
  flag: "--yes",
  "dev-profile": "implied on a dev profile",
  remembered: "nothing wider than what was accepted before",
};

async function ask(
  askConsent: AskConsent,
  summary: ConsentSummary,
  isDev: boolean,
): Promise<ConsentGiven["how"]> {
  if (isDev) return "dev-profile";
  const answer = await askConsent(summary);
  if (answer === true) return "asked";
  throw new GumError(
    "TRUST_NOT_CONFIRMED",
    answer === false
      ? `You did not agree to install "${summary.id}".`
      : `Nobody is here to agree to install "${summary.id}".`,
    { details: { consent: summary } },
  );
}

function summarise(plugin: Plugin, source: string, flags: InstallFlags): ConsentSummary {
  return {
    id: plugin.id,
    name: plugin.title,
    version: plugin.version,
    owner: plugin.namespace_owner,
    source,
    license: plugin.license,
    tos_status: plugin.tos_status,
    risk: plugin.risk,
    tools: plugin.tools.map(({ name, risk_class }) => ({ name, risk_class })),
    network: plugin.network,
    writes:
      plugin.fs_write_dir === "" ? "its own data folder" : `${plugin.fs_write_dir} in its own data folder`,
    env: [...plugin.env_allow, ...plugin.needs_user_creds],
    credentials: plugin.credential_descriptors.map(({ display_name }) => display_name),
    granted: flags.grants,
    requested: plugin.requests,
  };
}
