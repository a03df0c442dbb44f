import type { Finding } from "../../base/errors.ts";
import type { ManifestDocument } from "../../model/document.ts";
import { looksSecret } from "../../model/env-denylist.ts";
import type { Plugin } from "../../model/plugin.ts";
import { show } from "../models/parts.ts";
import { Report, sortFindings } from "../report.ts";
import { modelFindings } from "../review.ts";

const code = "PLUGIN_CREDENTIAL_DESCRIPTOR_INVALID";

/** Every credential has exactly one descriptor, and every descriptor a credential (M24). */
export function checkCredentials(plugin: Plugin, document: ManifestDocument): Finding[] {
  if (document.dialect === "esm") return [];
  const report = new Report(document);
  reportDescriptors(plugin, report);
  reportNames(plugin, document, report);
  return sortFindings([...modelFindings(document, "credentials"), ...report.findings()]);
}

function reportDescriptors(plugin: Plugin, report: Report): void {
  const wanted = new Set([...plugin.needs_user_creds, ...plugin.env_allow]);
  const envs = new Set<string>();
  const aliases = new Set<string>();
  for (const [i, { env, alias }] of plugin.credential_descriptors.entries()) {
    const path = ["requirements", "credential_descriptors", i];
    if (env !== "" && envs.has(env))
      report.field(code, [...path, "env"], `has a second descriptor for ${show(env)}`);
    else if (env !== "" && !wanted.has(env)) {
      report.field(
        code,
        [...path, "env"],
        `is ${show(env)}, which neither needs_user_creds nor env_allow names`,
      );
    }
    if (alias !== "" && aliases.has(alias))
      report.field(code, [...path, "alias"], `is used twice: ${show(alias)}`);
    envs.add(env);
    aliases.add(alias);
  }
}

function reportNames(plugin: Plugin, document: ManifestDocument, report: Report): void {
  const described = new Set(plugin.credential_descriptors.map(({ env }) => env));
  const seen = new Set<string>();
  const hint =
    "add a [[requirements.credential_descriptors]] entry with alias, env, kind, display_name and setup_hint";
  for (const [i, name] of plugin.needs_user_creds.entries()) {
    const path = ["requirements", "needs_user_creds", i];
    if (seen.has(name)) report.field(code, path, `names ${show(name)} twice`);
    else if (!described.has(name))
      report.field(code, path, `names ${show(name)}, which has no descriptor`, hint);
    seen.add(name);
  }
  const holder = document.dialect === "nested" ? "requirements" : "declared_capabilities";
  for (const [i, name] of plugin.env_allow.entries()) {
    if (!looksSecret(name) || described.has(name)) continue;
    report.field(
      code,
      [holder, "env_allow", i],
      `names the secret ${show(name)}, which has no descriptor`,
      hint,
    );
  }
}
