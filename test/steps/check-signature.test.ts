import { expect, test } from "bun:test";
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { parseManifest } from "../../src/manifest/read.ts";
import type { Source } from "../../src/model/install.ts";
import { checkSignature } from "../../src/steps/check-signature.ts";
import { createFakeHost } from "../fakes/fake-host.ts";
import { profile, refusalOf, runStep } from "./run-step.ts";

const ed25519 = pairOf(generateKeyPairSync("ed25519"));
const rsa = pairOf(generateKeyPairSync("rsa", { modulusLength: 2048 }));
const digest = "ab".repeat(32);
const archive: Source = { kind: "archive", path: "/home/user/fli.tgz" };
const folder: Source = { kind: "folder", path: "/home/user/fli" };
const trusted = `${profile.configDir}/trusted-keys`;
const revoked = `${profile.configDir}/revoked-keys`;

interface Pair {
  readonly id: string;
  readonly pem: string;
  sign(text: string): string;
}

function pairOf({ publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject }): Pair {
  const der = publicKey.export({ type: "spki", format: "der" });
  return {
    id: createHash("sha256").update(der).digest("hex").slice(0, 16),
    pem: publicKey.export({ type: "spki", format: "pem" }).toString(),
    sign: (text) =>
      sign(privateKey.asymmetricKeyType === "rsa" ? "sha256" : null, Buffer.from(text), privateKey).toString(
        "base64",
      ),
  };
}

async function check(
  options: {
    readonly files?: Record<string, string>;
    readonly source?: Source;
    readonly manifest?: Record<string, unknown>;
    readonly required?: boolean;
  } = {},
) {
  const value = options.manifest ?? { manifest_schema_version: 1, plugin_id: "fli" };
  const name = options.manifest === undefined ? "manifest.json" : "mcp-plugin.json";
  const document = await parseManifest({ name, bytes: new TextEncoder().encode(JSON.stringify(value)) });
  const source = options.source ?? archive;
  return runStep(
    checkSignature,
    {
      document,
      source,
      plugin: { id: "fli" } as never,
      profile: { ...profile, requireSignatures: options.required ?? false },
      digestChecked: source.kind === "archive" ? digest : null,
      integrity: { dist: null },
    },
    { host: createFakeHost({ files: options.files ?? {} }) },
  );
}

const detached = (pair: Pair, more: object = {}): string =>
  JSON.stringify({ alg: "ed25519", keyId: pair.id, signature: pair.sign(`sha256:${digest}`), ...more });

test("T27 an archive whose signature a trusted key made is verified, and the key is recorded", async () => {
  const files = {
    [`${trusted}/${ed25519.id}.pem`]: ed25519.pem,
    "/home/user/fli.tgz.sig": detached(ed25519),
  };
  const { given, notes, warnings } = await check({ files, required: true });
  expect(given.signature).toEqual({ verified: true, keyId: ed25519.id });
  expect([notes, warnings]).toEqual([[`signed by the key ${ed25519.id}`], []]);
});

test("T27 the bare base64 form and RSA-SHA256 count as well", async () => {
  const bare = {
    [`${trusted}/x.pem`]: ed25519.pem,
    "/home/user/fli.tgz.sig": `${ed25519.sign(`sha256:${digest}`)}\n`,
  };
  expect((await check({ files: bare, required: true })).given.signature.keyId).toBe(ed25519.id);
  const other = {
    [`${trusted}/x.pem`]: rsa.pem,
    "/home/user/fli.tgz.sig": detached(rsa, { alg: "rsa-sha256" }),
  };
  expect((await check({ files: other, required: true })).given.signature.keyId).toBe(rsa.id);
});

test("T27 an unsigned archive or folder passes, unless the profile requires signatures", async () => {
  for (const source of [archive, folder]) {
    expect((await check({ source })).given.signature).toEqual({ verified: false, keyId: null });
    const error = await refusalOf(() => check({ source, required: true }));
    expect([error.code, error.message]).toEqual([
      "PLUGIN_SIGNATURE_REQUIRED",
      'There is no signature of the plugin "fli", and this profile requires one.',
    ]);
  }
});

test("T27 an unknown key is a warning, and a refusal where the profile requires signatures", async () => {
  const files = { "/home/user/fli.tgz.sig": detached(ed25519) };
  const { given, warnings } = await check({ files });
  expect(given.signature).toEqual({ verified: false, keyId: null });
  expect(warnings.map(({ message }) => message)).toEqual([
    `The signature of the plugin "fli" is by the key ${ed25519.id}, unknown here.`,
  ]);
  expect((await refusalOf(() => check({ files, required: true }))).code).toBe("PLUGIN_SIGNATURE_INVALID");
});

test("T27 a false signature is refused always, and so is one by a revoked key", async () => {
  const trust = { [`${trusted}/${ed25519.id}.pem`]: ed25519.pem };
  const cases: Record<string, Record<string, string>> = {
    "another digest signed": {
      ...trust,
      "/home/user/fli.tgz.sig": detached(ed25519, { signature: ed25519.sign(`sha256:${"cd".repeat(32)}`) }),
    },
    "another digest named": {
      ...trust,
      "/home/user/fli.tgz.sig": detached(ed25519, { digest: `sha256:${"cd".repeat(32)}` }),
    },
    "the raw digest signed": {
      ...trust,
      "/home/user/fli.tgz.sig": detached(ed25519, { signature: ed25519.sign(digest) }),
    },
    "no signature in the file": { ...trust, "/home/user/fli.tgz.sig": "{}" },
    revoked: { [`${revoked}/${ed25519.id}.pem`]: ed25519.pem, "/home/user/fli.tgz.sig": detached(ed25519) },
    "trusted and revoked": {
      ...trust,
      [`${revoked}/${ed25519.id}.pem`]: ed25519.pem,
      "/home/user/fli.tgz.sig": detached(ed25519),
    },
  };
  for (const [name, files] of Object.entries(cases)) {
    const error = await refusalOf(() => check({ files }));
    expect([name, error.code]).toEqual([name, "PLUGIN_SIGNATURE_INVALID"]);
  }
});

test("T27 signatures in mcp-plugin.json are over the literal dist.hash", async () => {
  const hash = `sha256:${"EF".repeat(32)}`;
  const base = { manifestVersion: "2", name: "fli", version: "1.0.0", entry: "dist/x.js", dist: { hash } };
  const signature = { alg: "ed25519", keyId: ed25519.id, signature: ed25519.sign(hash) };
  const files = { [`${trusted}/${ed25519.id}.pem`]: ed25519.pem };
  const good = { ...base, signatures: [signature] };
  const given = (await check({ files, source: folder, manifest: good, required: true })).given.signature;
  expect(given).toEqual({ verified: true, keyId: ed25519.id });

  const lower = { ...signature, signature: ed25519.sign(hash.toLowerCase()) };
  const second = { alg: "rsa-sha256", keyId: rsa.id, signature: rsa.sign(hash) };
  const refusedAlways = { ...base, signatures: [second, lower] };
  expect((await refusalOf(() => check({ files, source: folder, manifest: refusedAlways }))).code).toBe(
    "PLUGIN_SIGNATURE_INVALID",
  );
  const both = { ...base, signatures: [second, signature] };
  expect((await check({ files, source: folder, manifest: both, required: true })).given.signature.keyId).toBe(
    ed25519.id,
  );
});

test("T27 a signature over no digest vouches for nothing", async () => {
  const manifest = {
    name: "fli",
    version: "1",
    signatures: [{ alg: "ed25519", keyId: ed25519.id, signature: ed25519.sign("sha256:") }],
  };
  const files = { [`${trusted}/${ed25519.id}.pem`]: ed25519.pem };
  const { given, warnings } = await check({ files, source: folder, manifest });
  expect([given.signature.verified, warnings.length]).toEqual([false, 1]);
  expect((await refusalOf(() => check({ files, source: folder, manifest, required: true }))).code).toBe(
    "PLUGIN_SIGNATURE_INVALID",
  );
});
