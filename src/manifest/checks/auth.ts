import type { Finding } from "../../base/errors.ts";
import { accountComponents, googleTokenVariable } from "../../model/auth-kinds.ts";
import { componentsIn } from "../../model/component-args.ts";
import type { ManifestDocument } from "../../model/document.ts";
import type { Plugin } from "../../model/plugin.ts";
import { show } from "../models/parts.ts";
import { Report, sortFindings } from "../report.ts";
import { modelFindings } from "../review.ts";

const invalid = "PLUGIN_MANIFEST_INVALID";

/** Auth strategy and components are known, and a compound plugin proves its access (M25, T18, C13). */
export function checkAuth(plugin: Plugin, document: ManifestDocument): Finding[] {
  if (document.dialect === "esm") return [];
  const report = new Report(document);
  reportComponents(plugin, report);
  reportCanary(plugin, report);
  return sortFindings([...modelFindings(document, "auth"), ...report.findings()]);
}

function reportComponents(plugin: Plugin, report: Report): void {
  const aliases = new Map(plugin.credential_descriptors.map(({ alias, env }) => [alias, env]));
  for (const [i, { kind, alias, env }] of plugin.auth_components.entries()) {
    const path = ["requirements", "auth_components", i];
    // A component and a descriptor may share an alias only when they are the same secret.
    if (alias !== "" && aliases.has(alias) && aliases.get(alias) !== env) {
      report.field(invalid, [...path, "alias"], `is used twice: ${show(alias)}`);
    }
    aliases.set(alias, env ?? "");
    if (kind !== "google_access_token") continue;
    if (plugin.auth_strategy !== "compound") {
      report.field(
        invalid,
        [...path, "kind"],
        "can be google_access_token only where auth_strategy is compound",
      );
    }
    if (env !== null && env !== googleTokenVariable) {
      report.field(
        invalid,
        [...path, "env"],
        `must be ${googleTokenVariable} for this kind, not ${show(env)}`,
      );
    }
  }
}

function reportCanary(plugin: Plugin, report: Report): void {
  const used = componentsIn(plugin.canary?.args ?? {});
  const declared = new Set(plugin.auth_components.map(({ alias }) => alias));
  for (const alias of used) {
    if (declared.has(alias)) continue;
    report.field(
      invalid,
      ["requirements", "canary", "args"],
      `uses the component ${show(alias)}, which is not declared`,
    );
  }
  if (plugin.auth_strategy !== "compound") return;
  for (const [i, { kind, alias }] of plugin.auth_components.entries()) {
    if (!accountComponents.has(kind) || used.has(alias)) continue;
    report.field(
      invalid,
      ["requirements", "auth_components", i],
      `names an account that the canary does not use: ${show(alias)}`,
      `put "{component:${alias}}" into [requirements.canary] args`,
    );
  }
}
