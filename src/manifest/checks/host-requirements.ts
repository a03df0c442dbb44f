import type { Finding } from "../../base/errors.ts";
import type { ManifestDocument } from "../../model/document.ts";
import { parseSemver, satisfies } from "../../model/semver.ts";
import { tableOf, textMapOf, textsOf } from "../access.ts";
import { show } from "../models/parts.ts";
import { Report } from "../report.ts";

/** What this machine offers to an ES-module plugin. */
export interface HostFacts {
  /** As Node names them: linux, darwin, win32. */
  readonly platform: string;
  /** As Node names them: x64, arm64. */
  readonly arch: string;
  /** Versions by name; `node` is the one that the ES-module child reports. */
  readonly engines: Readonly<Record<string, string>>;
  readonly features: readonly string[];
}

const code = "PLUGIN_MANIFEST_INVALID";
/** Package managers have no part in running a plugin. */
const ignoredEngines = new Set(["npm", "pnpm", "yarn", "vscode"]);
const platformNames: Readonly<Record<string, string>> = { macos: "darwin", osx: "darwin", windows: "win32" };
const archNames: Readonly<Record<string, string>> = { amd64: "x64", x86_64: "x64", aarch64: "arm64" };

/** `engines` and `hostRequirements` that this host cannot meet are refused (M40). */
export function checkHostRequirements(document: ManifestDocument, host: HostFacts): Finding[] {
  if (document.dialect !== "esm") return [];
  const report = new Report(document);
  for (const [name, range] of Object.entries(textMapOf(document.value.engines))) {
    if (!ignoredEngines.has(name)) reportEngine(report, host, name, range);
  }
  const wanted = tableOf(document.value.hostRequirements);
  reportChoice(report, "os", textsOf(wanted.os), platformNames, host.platform);
  reportChoice(report, "cpuArch", textsOf(wanted.cpuArch), archNames, host.arch);
  for (const [i, feature] of textsOf(wanted.features).entries()) {
    if (host.features.includes(feature)) continue;
    report.field(
      code,
      ["hostRequirements", "features", i],
      `asks for ${show(feature)}, which this host does not have`,
    );
  }
  return report.findings();
}

function reportEngine(report: Report, host: HostFacts, name: string, range: string): void {
  const path = ["engines", name];
  const written = Object.hasOwn(host.engines, name) ? host.engines[name] : undefined;
  const version = written === undefined ? undefined : parseSemver(written);
  if (version === undefined) {
    report.field(code, path, "asks for an engine that this host does not have");
    return;
  }
  const met = satisfies(version, range);
  if (met === undefined) report.field(code, path, `is not a version range: ${show(range)}`);
  else if (!met) report.field(code, path, `asks for ${show(range)}, but this host has ${written}`);
}

function reportChoice(
  report: Report,
  field: string,
  wanted: readonly string[],
  aliases: Readonly<Record<string, string>>,
  actual: string,
): void {
  if (wanted.length === 0) return;
  const names = wanted.map((name) => {
    const lower = name.toLowerCase();
    return Object.hasOwn(aliases, lower) ? aliases[lower] : lower;
  });
  if (names.includes(actual)) return;
  report.field(
    code,
    ["hostRequirements", field],
    `asks for ${wanted.join(" or ")}, but this host is ${actual}`,
  );
}
