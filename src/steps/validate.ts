import { GumError } from "../base/errors.ts";
import type { Machine } from "../host/host.ts";
import { checkFields } from "../manifest/checks/fields.ts";
import { checkHostRequirements, type HostFacts } from "../manifest/checks/host-requirements.ts";
import { gumVersion } from "../model/version.ts";
import { defineStep } from "../pipeline/step.ts";
import { refuse } from "./refuse.ts";

/** Checks every field and turns the manifest, whatever its dialect, into the one plugin model. */
export const validate = defineStep({
  name: "validate",
  summary: "Check every field and normalise the manifest into one plugin.",
  needs: ["document", "shapeAllowed", "flags", "profile"],
  gives: ["plugin"],
  codes: [
    "PLUGIN_MANIFEST_INVALID",
    "PLUGIN_EXECUTABLE_UNTRUSTED",
    "PLUGIN_FS_WRITE_OUTSIDE_SANDBOX",
    "SERVICE_ROOT_TEMPLATE_DEFERRED",
  ],
  run({ document, flags, profile }, { host, note, warn }) {
    const { findings, warnings, plugin } = checkFields(document, {
      dev: profile.isDev,
      strict: flags.strict,
      owner: flags.owner,
    });
    for (const warning of warnings) warn(warning);
    refuse(findings);
    refuse(checkHostRequirements(document, hostFacts(host.machine)));
    if (plugin === undefined)
      throw new GumError("INTERNAL_ERROR", "A manifest without findings gave no plugin");
    note(`${plugin.id} ${plugin.version}, ${plugin.shape}, ${count(plugin.tools.length, "tool")}`);
    return { plugin };
  },
});

/** What an ES-module plugin may ask of the machine that it runs on. */
function hostFacts({ platform, arch, nodeVersion }: Machine): HostFacts {
  return { platform, arch, engines: { gum: gumVersion, node: nodeVersion }, features: ["sandbox"] };
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}
