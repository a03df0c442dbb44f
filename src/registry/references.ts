import { join } from "node:path/posix";
import * as v from "valibot";
import { isErrno } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import { GenerationReferences } from "../model/generation.ts";
import { foldersOf, type RegistryHome } from "./folders.ts";
import {
  type GenerationName,
  listGenerations,
  readGeneration,
  referencesName,
} from "./generation-folders.ts";
import { referencesOf } from "./write-generation.ts";

export interface References {
  readonly roots: ReadonlySet<string>;
  readonly schemas: ReadonlySet<string>;
}

/** What the generations on disk need together; one that cannot be read at all needs nothing. */
export async function allReferences(host: Host, home: RegistryHome): Promise<References> {
  const roots = new Set<string>();
  const schemas = new Set<string>();
  for (const name of await listGenerations(host.files, home)) {
    const needed = await referencesIn(host, home, name);
    for (const root of needed.roots) roots.add(root);
    for (const schema of needed.schemas) schemas.add(schema);
  }
  return { roots, schemas };
}

/** What one generation needs, from its list or, where that is damaged, from its files. */
export async function referencesIn(
  host: Host,
  home: RegistryHome,
  name: GenerationName,
): Promise<GenerationReferences> {
  const path = join(foldersOf(home).generations, name.folder, referencesName);
  try {
    return v.parse(GenerationReferences, JSON.parse(await host.files.readText(path)));
  } catch (error) {
    const damaged =
      error instanceof SyntaxError || error instanceof TypeError || error instanceof v.ValiError;
    if (!damaged && !isErrno(error, "ENOENT", "ENOTDIR")) throw error;
  }
  const generation = await readGeneration(host.files, home, name);
  return generation === undefined ? { roots: [], schemas: [] } : referencesOf(generation.registry);
}
