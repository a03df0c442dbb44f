import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { riskFromAnnotations } from "../../src/manifest/annotations.ts";
import { checkHostRequirements, type HostFacts } from "../../src/manifest/checks/host-requirements.ts";
import { checkIntegrity, distHashOf, signaturesOf } from "../../src/manifest/checks/integrity.ts";
import type { DistFile } from "../../src/manifest/dist-digest.ts";
import { parseManifest } from "../../src/manifest/read.ts";
import { manifest } from "./run-all.ts";
import { esm, findingsOf, outcomeOf } from "./samples.ts";

const invalid = (path: string) => [`PLUGIN_MANIFEST_INVALID ${path}`];
const v1 = {
  name: "net-utils",
  version: "1.0.0",
  sdk: "^1.2.0",
  entry: "dist/index.js",
  namespace_owner: "npm:@acme/net-utils",
  capabilities: { tools: [{ name: "ping", annotations: { readOnlyHint: true } }] },
  permissions: [{ id: "network", reason: "lookups" }],
};

test("M31 v1 needs name, version, sdk, entry and capabilities", async () => {
  expect(await findingsOf(v1)).toEqual([]);
  for (const field of ["version", "sdk", "capabilities", "name"]) {
    expect(await findingsOf(v1, { [field]: undefined })).toEqual(invalid(field));
  }
  for (const entry of ["", "/x.js", 4]) expect(await findingsOf(v1, { entry })).toEqual(invalid("entry"));
  expect(await findingsOf(v1, { entry: "../x.js" })).toEqual(["PLUGIN_EXECUTABLE_UNTRUSTED entry"]);
});

test("M31 v2 needs a semver version, an entry below dist and a dist.hash", async () => {
  const cases: [Record<string, unknown>, string][] = [
    [{ version: "1.0" }, "version"],
    [{ entry: "index.js" }, "entry"],
    [{ entry: "dist/index.ts" }, "entry"],
    [{ "dist/hash": "sha256:abc" }, "dist.hash"],
    [{ dist: undefined }, "dist"],
    [{ externalDependencies: [{ name: "a", version: "^1.0.0" }] }, "externalDependencies[0].version"],
    [{ dependenciesPolicy: "any" }, "dependenciesPolicy"],
    [{ "permissions/network": "yes" }, "permissions.network"],
    [{ signatures: [{ alg: "ed25519" }] }, "signatures[0].signature"],
    [{ "dist/hashes": [{ alg: "md5", value: "x" }] }, "dist.hashes[0].alg"],
    [{ "dist/fileCount": 0 }, "dist.fileCount"],
  ];
  for (const [changes, path] of cases) expect(await findingsOf(esm(), changes)).toEqual(invalid(path));
  expect(await findingsOf(esm(), { entry: "dist/sub/index.mjs", id: "com.example.net" })).toEqual([]);
});

test("M33 the owner is what the manifest, the flag or a dev profile says", async () => {
  const ownerOf = async (changes: Record<string, unknown>, how = {}) =>
    (await outcomeOf(esm(), { namespace_owner: undefined, ...changes }, how)).plugin?.namespace_owner;
  const missing = ["PLUGIN_NAMESPACE_CONFLICT namespace_owner"];
  expect(await findingsOf(esm(), { namespace_owner: undefined })).toEqual(missing);
  expect(await findingsOf(esm(), { namespace_owner: undefined }, { owner: "acme" })).toEqual(missing);
  expect(await ownerOf({ "x-namespace-owner": "io.example.net" })).toBe("io.example.net");
  expect(await ownerOf({}, { owner: "github:acme/net" })).toBe("github:acme/net");
  expect(await ownerOf({}, { dev: true })).toBe("npm:net-utils");
  expect(await ownerOf({ namespace_owner: "pypi:net" }, { owner: "github:acme/net", dev: true })).toBe(
    "pypi:net",
  );
});

test("M33 risk follows from annotations, and an absent hint is not a promise", () => {
  expect(riskFromAnnotations({ readOnlyHint: true })).toBe("read");
  expect(riskFromAnnotations({ readOnlyHint: false, destructiveHint: false })).toBe("write");
  for (const annotations of [
    undefined,
    {},
    { destructiveHint: true },
    { readOnlyHint: "true" },
    { readOnlyHint: false },
  ]) {
    expect(riskFromAnnotations(annotations)).toBe("destructive");
  }
});

test("M34 dependencies are ids of other plugins", async () => {
  const { plugin } = await outcomeOf(esm(), { dependencies: ["dns-core", "b_2"] });
  expect(plugin?.esm?.dependencies).toEqual(["dns-core", "b_2"]);
  for (const name of ["", "A", "a b", 4]) {
    expect(await findingsOf(esm(), { dependencies: [name] })).toEqual(invalid("dependencies[0]"));
  }
});

test("M40 ids, capabilities and permissions of ES-module plugins", async () => {
  for (const name of ["a", "0a", "net_utils-2", "a".repeat(64)])
    expect(await findingsOf(esm(), { name })).toEqual([]);
  for (const name of ["", "-a", "_a", "A", "a.b", "a".repeat(65)]) {
    expect(await findingsOf(esm(), { name })).toEqual(invalid("name"));
  }
  expect(await findingsOf(esm(), { "capabilities/tools": [{}] })).toEqual(invalid("capabilities.tools[0]"));
  const denied = (await outcomeOf(esm())).plugin?.esm?.permissions;
  expect(denied).toEqual({ network: false, fs_read: [], fs_write: [], exec: false });
  const listed = (await outcomeOf(v1)).plugin;
  expect(listed?.network).toBe(true);
  expect(listed?.esm?.declared).toEqual({ tools: ["ping"], resources: [], prompts: [] });
  expect(listed?.tools.map(({ risk_class }) => risk_class)).toEqual(["read"]);
});

test("M40 engines and hostRequirements that this host cannot meet are refused", async () => {
  const host: HostFacts = {
    platform: "linux",
    arch: "arm64",
    engines: { node: "24.3.0" },
    features: ["sandbox"],
  };
  const check = async (changes: Record<string, unknown>) => {
    const text = JSON.stringify({ ...Object(esm()), ...changes });
    const document = await parseManifest(manifest("mcp-plugin.json", text).manifest);
    return checkHostRequirements(document, host).map(({ code, path }) => `${code} ${path}`);
  };
  expect(await check({ engines: { node: ">=18 <25", npm: ">=99" } })).toEqual([]);
  expect(await check({ engines: { node: "^18 || ^20" } })).toEqual(invalid("engines.node"));
  expect(await check({ engines: { node: "latest" } })).toEqual(invalid("engines.node"));
  expect(await check({ engines: { electron: ">=1" } })).toEqual(invalid("engines.electron"));
  expect(
    await check({ hostRequirements: { os: ["Linux"], cpuArch: ["aarch64"], features: ["sandbox"] } }),
  ).toEqual([]);
  expect(await check({ hostRequirements: { os: ["macos", "win32"] } })).toEqual(
    invalid("hostRequirements.os"),
  );
  expect(await check({ hostRequirements: { cpuArch: ["x64"] } })).toEqual(
    invalid("hostRequirements.cpuArch"),
  );
  expect(await check({ hostRequirements: { features: ["gpu"] } })).toEqual(
    invalid("hostRequirements.features[0]"),
  );
});

const files: Readonly<Record<string, string>> = {
  "index.js": "export {}",
  "sub/a.txt": "hello",
  "Z.js": "z",
  "b.js": "b",
};

function distFiles(content = files): DistFile[] {
  return Object.entries(content).map(([path, text]) => ({
    path,
    size: text.length,
    async *read() {
      const data = new TextEncoder().encode(text);
      yield data.slice(0, 3);
      yield data.slice(3);
    },
  }));
}

/** The digest as a publisher computes it, from the description alone. */
function published(order: readonly string[], separator: string, algorithm = "sha256"): string {
  const hash = createHash(algorithm);
  for (const path of order)
    hash
      .update(path)
      .update(separator)
      .update(files[path] ?? "");
  return hash.digest("hex");
}

async function integrity(dist: Record<string, unknown>, content = files): Promise<string[]> {
  const document = await parseManifest(
    manifest("mcp-plugin.json", JSON.stringify({ ...Object(esm()), dist })).manifest,
  );
  return (await checkIntegrity(document, distFiles(content))).map(({ code, path }) => `${code} ${path}`);
}

const plainOrder = ["Z.js", "b.js", "index.js", "sub/a.txt"];
const localeOrder = ["b.js", "index.js", "sub/a.txt", "Z.js"];
const mismatch = (path: string) => [`PLUGIN_INTEGRITY_MISMATCH ${path}`];

test("M32 both public forms of dist.hash are accepted, and nothing else", async () => {
  for (const order of [plainOrder, localeOrder]) {
    for (const separator of ["\0", "\n"]) {
      expect(await integrity({ hash: `sha256:${published(order, separator)}` })).toEqual([]);
    }
    expect(await integrity({ hash: `sha256:${published(order, " ")}` })).toEqual(mismatch("dist.hash"));
  }
  const hash = `sha256:${published(plainOrder, "\0").toUpperCase()}`;
  expect(await integrity({ hash })).toEqual([]);
  expect(await integrity({ hash }, { ...files, "b.js": "c" })).toEqual(mismatch("dist.hash"));
  expect(await integrity({ hash }, { ...files, "new.js": "" })).toEqual(mismatch("dist.hash"));
});

test("M32 counts, checksums and further digests are checked when present", async () => {
  const hash = `sha256:${published(plainOrder, "\n")}`;
  const sum = createHash("sha256").update("hello").digest("hex");
  expect(await integrity({ hash, fileCount: 4, totalBytes: 16 })).toEqual([]);
  expect(await integrity({ hash, fileCount: 5 })).toEqual(mismatch("dist.fileCount"));
  expect(await integrity({ hash, totalBytes: 17 })).toEqual(mismatch("dist.totalBytes"));
  const checksums = (path: string, sha256: string) => ({ checksums: { files: [{ path, sha256 }] } });
  expect(await integrity({ hash, ...checksums("dist/sub/a.txt", sum) })).toEqual([]);
  expect(await integrity({ hash, ...checksums("sub/a.txt", sum) })).toEqual([]);
  expect(await integrity({ hash, ...checksums("dist/b.js", sum) })).toEqual(
    mismatch("dist.checksums.files[0]"),
  );
  expect(await integrity({ hash, ...checksums("dist/no.js", sum) })).toEqual(
    mismatch("dist.checksums.files[0]"),
  );
  expect(await integrity({ hash, coverage: "all", ...checksums("dist/sub/a.txt", sum) })).toEqual(
    mismatch("dist.coverage"),
  );
  const value = published(plainOrder, "\n", "sha512");
  expect(await integrity({ hash, hashes: [{ alg: "sha512", value }] })).toEqual([]);
  const base64 = Buffer.from(value, "hex").toString("base64");
  expect(await integrity({ hash, hashes: [{ alg: "sha512", value: `sha512-${base64}` }] })).toEqual([]);
  expect(
    await integrity({ hash, hashes: [{ alg: "sha512", value: published(plainOrder, "\0", "sha512") }] }),
  ).toEqual(mismatch("dist.hashes[0].value"));
});

test("M32 BLAKE3 and the other digests of dist.hashes are computed", async () => {
  const { blake3, sha3 } = await import("hash-wasm");
  const stream = plainOrder.map((path) => `${path}\n${files[path]}`).join("");
  const hashes = [
    { alg: "blake3", value: await blake3(stream) },
    { alg: "sha3-256", value: await sha3(stream, 256) },
  ];
  const hash = `sha256:${published(plainOrder, "\n")}`;
  expect(await integrity({ hash, hashes })).toEqual([]);
  expect(await integrity({ hash, hashes: [{ alg: "blake2b", value: "00" }] })).toEqual(
    mismatch("dist.hashes[0].value"),
  );
});

test("T27 the digest string and the signatures of a manifest are read from it", async () => {
  const signatures = [
    { alg: "Ed25519", signature: "c2ln", keyId: "acme" },
    { alg: "RSA-SHA256", signature: "c2ln" },
  ];
  const text = JSON.stringify({ ...Object(esm()), signatures });
  const document = await parseManifest(manifest("mcp-plugin.json", text).manifest);
  expect(distHashOf(document)).toBe(`sha256:${"0".repeat(64)}`);
  expect(signaturesOf(document)).toEqual([
    { alg: "Ed25519", signature: "c2ln", keyId: "acme" },
    { alg: "RSA-SHA256", signature: "c2ln", keyId: null },
  ]);
});
