import type { Finding } from "../../base/errors.ts";
import type { DocumentPath, ManifestDocument } from "../../model/document.ts";
import { isDeniedEnv } from "../../model/env-denylist.ts";
import type { Plugin } from "../../model/plugin.ts";
import { Report } from "../report.ts";

/** No manifest may list a variable that no plugin may have (M15, M42, T13). */
export function checkEnv(plugin: Plugin, document: ManifestDocument): Finding[] {
  const report = new Report(document);
  const holder = document.dialect === "nested" ? "requirements" : "declared_capabilities";
  const deny = (field: string, name: string, path: DocumentPath) => {
    if (!isDeniedEnv(name)) return;
    const message = `${field} entry '${name}' on plugin '${plugin.id}' is a prohibited env var name.`;
    if (field === "env") report.sayAtKey("PLUGIN_ENV_PROHIBITED", path, message);
    else report.say("PLUGIN_ENV_PROHIBITED", path, message);
  };
  for (const [i, name] of plugin.needs_user_creds.entries()) {
    deny("needs_user_creds", name, ["requirements", "needs_user_creds", i]);
  }
  for (const [i, name] of plugin.env_allow.entries()) deny("env_allow", name, [holder, "env_allow", i]);
  for (const name of Object.keys(plugin.env)) deny("env", name, ["env", name]);
  for (const [i, { env }] of plugin.auth_components.entries()) {
    deny("auth_components", env ?? "", ["requirements", "auth_components", i, "env"]);
  }
  return report.findings();
}
