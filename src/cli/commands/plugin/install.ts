import { exitCodes } from "../../../base/error-codes.ts";
import type { InstallAnswer } from "../../../kernel/answers.ts";
import { canaryModes, type InstallFlags } from "../../../model/install.ts";
import { defineCommand } from "../../command.ts";
import { consentAsker } from "../../consent.ts";
import { pipelineFlags } from "../../flags.ts";
import { grantFlags, namedGrants } from "../../grant-flags.ts";
import { cellText } from "../../table.ts";
import { stepLine } from "../../trace.ts";
import { tellWarnings } from "../../warnings.ts";

export const install = defineCommand({
  name: "plugin install",
  summary: "Install a plugin from a folder, an archive, an address or a repository.",
  examples: [
    "gum plugin install ./hello",
    "gum plugin install ./hello --yes --json",
    "gum plugin install ./hello.tar.gz --sha256 $SHA256",
    "gum plugin install git+https://example.com/hello.git@$COMMIT",
    "gum plugin install ./hello --dry-run --trace",
    "gum plugin install ./hello --allow-read /srv/maps --canary=handshake",
  ],
  args: {
    source: { summary: "A folder, a .zip, .tar.gz or .tgz, an https address, or git+<address>@<commit>." },
  },
  flags: {
    sha256: {
      kind: "text",
      value: "digest",
      summary: "What the archive's SHA-256 must be; an address needs it.",
    },
    yes: { kind: "switch", summary: "Agree to what the summary says without being asked." },
    "dry-run": {
      kind: "switch",
      summary: "Stop before anything is written, and show which steps would run.",
    },
    strict: { kind: "switch", summary: "Refuse what is only warned about otherwise." },
    owner: { kind: "text", value: "owner", summary: "The namespace owner, when the manifest names none." },
    canary: {
      kind: "choice",
      choices: canaryModes,
      summary: "How the plugin is tried; skip needs a dev profile.",
    },
    grant: {
      kind: "text",
      value: "names",
      repeated: true,
      summary: "Capabilities that the plugin may use, divided by commas.",
    },
    ...grantFlags,
    "dev-allow-namespace-conflict": {
      kind: "switch",
      summary: "On a dev profile, pass over another owner's claim on the plugin's names.",
    },
    ...pipelineFlags,
  },
  async run({ args, flags }, context) {
    const kernel = await context.kernel({ pipelines: flags.pipelines, trace: flags.trace });
    const { install: installPlugin } = await import("../../../kernel/install.ts");
    const wanted: InstallFlags = {
      yes: flags.yes,
      strict: flags.strict,
      owner: flags.owner,
      canary: flags.canary,
      devAllowNamespaceConflict: flags["dev-allow-namespace-conflict"],
      grants: namedGrants(flags, flags.grant),
    };
    const answer = await installPlugin(kernel, args.source, wanted, {
      dryRun: flags["dry-run"],
      sha256: flags.sha256,
      askConsent: consentAsker(kernel.host.terminal, kernel.signal),
    });
    await tellWarnings(answer.warnings, context);
    await context.answer(answer, () => installText(answer));
    return answer.status === "quarantined" ? exitCodes.quarantined : exitCodes.ok;
  },
});

/** What a person reads after an install. */
export function installText(answer: InstallAnswer): string {
  const { plugin, version, status, dry_run, generation, quarantine } = answer;
  if (dry_run) {
    const steps = answer.steps.map((record, index) => `${stepLine(record, index)}\n`).join("");
    return `${plugin} ${version} would be installed; nothing was written.\n${steps}`;
  }
  const done = `Installed ${plugin} ${version}, generation ${generation}.\n`;
  if (quarantine !== null) {
    return `${done}It cannot be called yet: ${quarantine.code}: ${cellText(quarantine.reason)}\n`;
  }
  return status === "needs_configuration"
    ? `${done}It needs credentials: run \`gum plugin setup ${plugin}\`.\n`
    : done;
}
