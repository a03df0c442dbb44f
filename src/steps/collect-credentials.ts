import { GumError } from "../base/errors.ts";
import { didYouMean } from "../base/suggest.ts";
import type { Host } from "../host/host.ts";
import {
  type CredentialNeed,
  type Credentials,
  credentialNeeds,
  withoutVariables,
} from "../model/credentials.ts";
import type { Plugin } from "../model/plugin.ts";
import type { AskCredential, SetupRequest } from "../model/setup.ts";
import { defineStep } from "../pipeline/step.ts";
import { openStore } from "../secrets/open-store.ts";
import { storeError, valueFault } from "../secrets/store.ts";
import { authRequired, findCredentials } from "./plugin-credentials.ts";

const tries = 3;

/** Collects what the plugin needs from its user: as given, from the environment, or by asking. */
export const collectCredentials = defineStep({
  name: "collect-credentials",
  summary: "Collect the plugin's credentials: as given, from the environment, or by asking.",
  needs: ["installed", "profile", "setupRequest", "trialProgram"],
  gives: ["collected"],
  codes: ["AUTH_REQUIRED", "KEYCHAIN_UNAVAILABLE", "USAGE"],
  async run({ installed, profile, setupRequest }, { host, signal, note, warn }) {
    const { plugin } = installed;
    const needs = credentialNeeds(plugin).filter(({ from }) => from !== "command");
    const collected = new Map(checkGiven(plugin, needs, setupRequest.given));
    if (setupRequest.fromEnvironment) takeVariables(needs, host.env, collected);
    const store = openStore(host, profile);
    const state = await store.state();
    const keeps = store.keeps && state.kind === "open";
    // Nobody is asked for what cannot be kept.
    if (!keeps && setupRequest.given.size > 0) throw cannotKeep(store, state);
    if (setupRequest.ask !== undefined && needs.length > 0) {
      const known = await findCredentials(host, profile, plugin, signal);
      if (keeps) await askFor(plugin, needs, { ask: setupRequest.ask, known, collected });
      else if (known.missing.some(({ alias }) => !collected.has(alias))) throw cannotKeep(store, state);
    }
    if (!keeps && store.keeps && state.kind !== "open") {
      warn({ message: `${storeError(store, state).message} Credentials come from the environment alone.` });
    }
    note(`${collected.size} collected`);
    return { collected };
  },
});

/** Values that were given must be for aliases that the plugin has. */
function checkGiven(
  plugin: Plugin,
  needs: readonly CredentialNeed[],
  given: SetupRequest["given"],
): SetupRequest["given"] {
  const aliases = needs.map(({ alias }) => alias);
  for (const [alias, value] of given) {
    if (!aliases.includes(alias)) {
      throw new GumError(
        "USAGE",
        `The plugin "${plugin.id}" has no credential "${alias}"${didYouMean(alias, aliases) || "."}`,
        { hint: `see \`gum plugin setup ${plugin.id} --check\`` },
      );
    }
    refuseBad(alias, value);
  }
  return given;
}

function takeVariables(
  needs: readonly CredentialNeed[],
  env: Host["env"],
  collected: Map<string, string>,
): void {
  for (const { alias, env: variable } of needs) {
    const value = variable === null ? undefined : env[variable];
    if (value === undefined || value === "" || collected.has(alias)) continue;
    refuseBad(alias, value);
    collected.set(alias, value);
  }
}

interface Asking {
  readonly ask: AskCredential;
  readonly known: Credentials;
  readonly collected: Map<string, string>;
}

async function askFor(plugin: Plugin, needs: readonly CredentialNeed[], asking: Asking): Promise<void> {
  const { ask, known, collected } = asking;
  for (const need of needs.filter(({ alias }) => !collected.has(alias))) {
    const question = {
      alias: need.alias,
      displayName: withoutVariables(plugin, need.displayName),
      setupHint: withoutVariables(plugin, need.setupHint),
      required: need.required,
      secret: need.from === "secret",
      found: known.found.get(need.alias)?.origin ?? null,
    };
    const optional = question.found !== null || !need.required;
    for (let left = tries; left > 0; left--) {
      const answer = await ask(question);
      if (answer === undefined) throw authRequired(plugin, [need], { status: "needs_configuration" });
      if (answer !== "") {
        refuseBad(need.alias, answer);
        collected.set(need.alias, answer);
      }
      if (answer !== "" || optional) break;
      if (left === 1) throw authRequired(plugin, [need], { status: "needs_configuration" });
    }
  }
}

function refuseBad(alias: string, value: string): void {
  const fault = valueFault(value);
  if (fault !== undefined) throw new GumError("USAGE", `The value of "${alias}" ${fault}.`);
}

function cannotKeep(
  store: ReturnType<typeof openStore>,
  state: Awaited<ReturnType<typeof store.state>>,
): GumError {
  const hint =
    "set the plugin's variables and add --from-env, or keep credentials in an encrypted file: `gum config set secrets.backend file`";
  const fault =
    state.kind === "open" ? ({ kind: "unavailable", reason: "secrets.backend is env" } as const) : state;
  const { message, info } = storeError(store, fault);
  return new GumError("KEYCHAIN_UNAVAILABLE", message, {
    ...info,
    hint: fault.kind === "locked" ? info.hint : hint,
  });
}
