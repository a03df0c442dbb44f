// Form C, mcp-plugin.json of ES-module plugins, in its two public generations.
import * as v from "valibot";
import {
  about,
  Flag,
  InnerPath,
  integer,
  listOf,
  mapOf,
  matching,
  NamespaceOwner,
  NonEmpty,
  oneOf,
  openTable,
  Text,
  Texts,
  table,
} from "./parts.ts";

export const digestNames = [
  "sha256",
  "sha384",
  "sha512",
  "sha3-256",
  "sha3-512",
  "blake2b",
  "blake3",
] as const;

const EsmId = matching(
  /^[a-z0-9][a-z0-9_-]{0,63}$/,
  "1 to 64 of a-z, 0-9, _ and -, beginning with a letter or digit",
);
const exactVersion = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;
const Sha256 = matching(/^[0-9a-fA-F]{64}$/, "64 hex digits");

/** A tool, resource or prompt: its name, or an object with its name. */
const Declared = v.union(
  [NonEmpty, openTable({ name: NonEmpty })],
  "must be a name or an object with a name",
);
const Capabilities = table({
  tools: v.optional(listOf(Declared, 0)),
  resources: v.optional(listOf(Declared, 0)),
  prompts: v.optional(listOf(Declared, 0)),
});

/** true, or the paths themselves. */
const PathPermission = v.union([Flag, Texts], "must be true, false or a list of paths");
const Permissions = table({
  network: v.optional(about(Flag, "Whether the plugin may use the network.")),
  fsRead: v.optional(about(PathPermission, "Paths that it would like to read.")),
  fsWrite: v.optional(about(PathPermission, "Paths that it would like to write.")),
  exec: v.optional(about(Flag, "Whether it may start other programs.")),
});
const PermissionList = v.array(openTable({ id: NonEmpty }), "must be a list");

const Requirements = openTable({
  os: v.optional(Texts),
  cpuArch: v.optional(Texts),
  features: v.optional(Texts),
});

const Signature = openTable({ alg: NonEmpty, signature: NonEmpty, keyId: v.optional(Text) });

/** What both generations have. */
const common = {
  $schema: v.optional(Text),
  id: v.optional(Text),
  description: v.optional(Text),
  author: v.optional(v.unknown()),
  license: v.optional(Text),
  homepage: v.optional(Text),
  repository: v.optional(v.unknown()),
  keywords: v.optional(Texts),
  metadata: v.optional(openTable({})),
  dependencies: v.optional(about(listOf(EsmId, 0, 100), "Other plugins that load before this one.")),
  engines: v.optional(about(mapOf(v.string(), Text), "Version ranges of runtimes, such as node.")),
  hostRequirements: v.optional(Requirements),
  signatures: v.optional(listOf(Signature, 0, 5)),
  namespace_owner: v.optional(NamespaceOwner),
  "x-namespace-owner": v.optional(NamespaceOwner),
};

/** Form C, first generation: no manifestVersion. */
export const EsmManifestV1 = v.pipe(
  table({
    name: about(EsmId, "The plugin's id."),
    version: NonEmpty,
    sdk: about(NonEmpty, "The range of MCP SDK versions that the plugin is written for."),
    entry: about(InnerPath, "The ES module that exports createPlugin(server)."),
    capabilities: Capabilities,
    permissions: v.optional(
      v.union([Permissions, PermissionList], "must be an object or a list of permissions"),
    ),
    ...common,
  }),
  v.title("mcp-plugin.json, v1"),
);

/** Form C, second generation: manifestVersion "2". */
export const EsmManifestV2 = v.pipe(
  table({
    manifestVersion: v.literal("2", 'must be "2"'),
    name: about(EsmId, "The plugin's id."),
    version: matching(exactVersion, "a semantic version such as 1.2.3"),
    entry: about(
      matching(/^dist\/.+\.m?js$/, "a .js or .mjs file below dist/"),
      "The ES module below dist/.",
    ),
    sdk: v.optional(Text),
    capabilities: v.optional(Capabilities),
    permissions: v.optional(Permissions),
    dist: about(
      openTable({
        hash: matching(/^sha256:[0-9a-fA-F]{64}$/, "sha256: and 64 hex digits"),
        hashes: v.optional(listOf(openTable({ alg: oneOf(digestNames), value: NonEmpty }), 0, 6)),
        fileCount: v.optional(integer(1, 1_000_000)),
        totalBytes: v.optional(integer(0, Number.MAX_SAFE_INTEGER)),
        coverage: v.optional(oneOf(["all", "partial"])),
        checksums: v.optional(
          openTable({ files: v.optional(listOf(openTable({ path: NonEmpty, sha256: Sha256 }), 0, 2000)) }),
        ),
      }),
      "The digest of the dist folder.",
    ),
    externalDependencies: v.optional(
      listOf(
        openTable({ name: NonEmpty, version: matching(exactVersion, "an exact version such as 4.17.21") }),
        0,
        40,
      ),
    ),
    dependenciesPolicy: v.optional(
      oneOf(["bundled-only", "external-allowed", "external-allowlist", "sandbox-required"]),
    ),
    sbom: v.optional(openTable({})),
    ...common,
  }),
  v.title("mcp-plugin.json, v2"),
);
