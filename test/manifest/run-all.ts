import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Finding, GumError } from "../../src/base/errors.ts";
import { checkAuth } from "../../src/manifest/checks/auth.ts";
import { checkBindings } from "../../src/manifest/checks/bindings.ts";
import { checkCredentials } from "../../src/manifest/checks/credentials.ts";
import { checkEnv } from "../../src/manifest/checks/env.ts";
import { checkExecutable } from "../../src/manifest/checks/executable.ts";
import { checkFields } from "../../src/manifest/checks/fields.ts";
import { checkHostRequirements } from "../../src/manifest/checks/host-requirements.ts";
import { checkNamespace } from "../../src/manifest/checks/namespace.ts";
import { checkProfiles, type ProfileFile } from "../../src/manifest/checks/profiles.ts";
import { checkSchemaVersion } from "../../src/manifest/checks/schema-version.ts";
import { checkSchemas } from "../../src/manifest/checks/schemas.ts";
import { checkShape } from "../../src/manifest/checks/shape.ts";
import { checkText } from "../../src/manifest/checks/text.ts";
import { chooseManifest, parseManifest } from "../../src/manifest/read.ts";
import type { ManifestDocument, ManifestName } from "../../src/model/document.ts";
import type { Plugin } from "../../src/model/plugin.ts";

/** A plugin folder as the checks see it, and how it is installed. */
export interface Folder {
  readonly manifest: { readonly name: ManifestName; readonly bytes: Uint8Array };
  readonly schemas?: Readonly<Record<string, Uint8Array>> | undefined;
  readonly profiles?: readonly ProfileFile[] | undefined;
  /** What the program leads to; "file" unless said. */
  readonly program?: "file" | "folder" | "absent" | "escapes" | undefined;
  readonly scripts?: readonly string[] | undefined;
  readonly dev?: boolean | undefined;
  readonly strict?: boolean | undefined;
  readonly owner?: string | undefined;
}

export interface Outcome {
  readonly findings: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly plugin?: Plugin | undefined;
  readonly document?: ManifestDocument | undefined;
}

const host = {
  platform: "linux",
  arch: "x64",
  engines: { node: "24.3.0", gum: "0.3.0" },
  features: ["sandbox"],
};

/** All checks in the order of their classes; the first class that finds something ends it. */
export async function runAll(folder: Folder): Promise<Outcome> {
  let document: ManifestDocument;
  try {
    document = await parseManifest(folder.manifest);
  } catch (error) {
    if (!(error instanceof GumError)) throw error;
    const { code, message, info } = error;
    return { findings: [{ code, message, at: info.at }], warnings: [] };
  }
  const refused = (findings: readonly Finding[]): Outcome => ({ findings, warnings: [], document });
  const gates = [...checkSchemaVersion(document)];
  if (gates.length > 0) return refused(gates);
  const shape = checkShape(document);
  if (shape.length > 0) return refused(shape);
  const { findings, warnings, plugin } = checkFields(document, {
    dev: folder.dev ?? false,
    strict: folder.strict ?? false,
    owner: folder.owner,
  });
  if (plugin === undefined) return { findings, warnings, document };
  const later = await laterFindings(plugin, document, folder);
  return { findings: later.findings, warnings: [...warnings, ...later.warnings], plugin, document };
}

async function laterFindings(
  plugin: Plugin,
  document: ManifestDocument,
  folder: Folder,
): Promise<{ findings: readonly Finding[]; warnings: readonly Finding[] }> {
  for (const check of [checkText, checkBindings, checkEnv, checkCredentials, checkAuth]) {
    const findings = check(plugin, document);
    if (findings.length > 0) return { findings, warnings: [] };
  }
  const { findings, schemas } = await checkSchemas(plugin, document, async (ref) => folder.schemas?.[ref]);
  if (findings.length > 0) return { findings, warnings: [] };
  const profiles = await checkProfiles(plugin, document, folder.profiles ?? [], schemas);
  if (profiles.findings.length > 0) return profiles;
  for (const last of [
    checkNamespace(plugin, document),
    checkHostRequirements(document, host),
    await checkExecutable(plugin, document, async () => folder.program ?? "file", folder.scripts ?? []),
  ]) {
    if (last.length > 0) return { findings: last, warnings: [] };
  }
  return profiles;
}

/** A folder on disk: its manifest, schemas/*.json and profiles/*.toml. */
export async function readFolder(path: string): Promise<Folder> {
  const names = await readdir(path);
  const name = chooseManifest(names);
  const schemas: Record<string, Uint8Array> = {};
  if (names.includes("schemas")) {
    for (const file of await readdir(join(path, "schemas"))) {
      schemas[file.replace(/\.json$/, "")] = await readFile(join(path, "schemas", file));
    }
  }
  const profiles: ProfileFile[] = [];
  if (names.includes("profiles")) {
    for (const file of await readdir(join(path, "profiles"))) {
      profiles.push({ file: `profiles/${file}`, text: await readFile(join(path, "profiles", file), "utf8") });
    }
  }
  return { manifest: { name, bytes: await readFile(join(path, name)) }, schemas, profiles };
}

/** A manifest given as text. */
export function manifest(name: ManifestName, text: string): Folder {
  return { manifest: { name, bytes: new TextEncoder().encode(text) } };
}
