import { join } from "node:path/posix";
import { canonicalJson, sha256 } from "../base/digest.ts";
import { GumError, isErrno } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { ResolvedSchema } from "../model/schema-bundle.ts";
import { flush, foldersOf, type RegistryHome, registryIo } from "./folders.ts";

const refRule = /^[a-z0-9][a-z0-9._-]{0,159}$/;
const maxSchemaBytes = 1 << 24;

/** A schema in the form in which it is stored: JCS text and its digest. */
export function resolvedSchema(ref: string, schema: unknown): ResolvedSchema {
  const text = canonicalJson(schema);
  return { ref, sha256: sha256(text), text };
}

/** The name of a stored schema, without `.json`. */
export function schemaName({ ref, sha256: digest }: Pick<ResolvedSchema, "ref" | "sha256">): string {
  if (!refRule.test(ref) || ref.includes("..") || !/^[0-9a-f]{64}$/.test(digest)) {
    throw new GumError("PLUGIN_SCHEMA_REF_INVALID", `The schema ref "${ref}" cannot be stored.`);
  }
  return `${ref}.${digest}`;
}

/** Stores schemas that are not there yet and returns the paths that it made, for an undo. */
export async function storeSchemas(
  host: Host,
  home: RegistryHome,
  schemas: readonly ResolvedSchema[],
): Promise<string[]> {
  const folder = foldersOf(home).schemas;
  const made: string[] = [];
  for (const schema of schemas) {
    const path = join(folder, `${schemaName(schema)}.json`);
    if (sha256(schema.text) !== schema.sha256) {
      throw new GumError(
        "INTERNAL_ERROR",
        `The schema "${schema.ref}" does not have the digest it was given.`,
      );
    }
    if (await isStored(host, path, schema.sha256)) continue;
    // Replacing mends a file that a power cut left empty.
    await host.files.replace(path, schema.text, { mode: 0o600 });
    made.push(path);
    await flush(host, home, async () => {
      const file = await host.files.open(path, "read-no-follow");
      try {
        await file.sync();
      } finally {
        await file.close();
      }
    });
  }
  if (made.length > 0) await flush(host, home, () => host.files.syncFolder(folder));
  return made;
}

/** A stored schema as JSON, checked against its digest; REGISTRY_IO when it is absent or damaged. */
export async function readSchema(
  host: Host,
  home: RegistryHome,
  ref: string,
  digest: string,
): Promise<unknown> {
  const path = join(foldersOf(home).schemas, `${schemaName({ ref, sha256: digest })}.json`);
  const text = await registryIo(home, "read", () =>
    host.files.readText(path, { maxBytes: maxSchemaBytes, noFollow: true }),
  );
  if (sha256(text) !== digest) {
    throw new GumError("REGISTRY_IO", `The stored schema "${ref}" does not have its digest any more.`, {
      details: { ref, sha256: digest },
      hint: "install the plugin again",
    });
  }
  return JSON.parse(text);
}

async function isStored(host: Host, path: string, digest: string): Promise<boolean> {
  try {
    return sha256(await host.files.readText(path, { maxBytes: maxSchemaBytes, noFollow: true })) === digest;
  } catch (error) {
    if (isErrno(error, "ENOENT", "ELOOP", "EFBIG") || error instanceof TypeError) return false;
    throw error;
  }
}
