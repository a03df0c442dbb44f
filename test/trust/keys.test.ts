import { describe, expect, test } from "bun:test";
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createHost } from "../../src/host/real.ts";
import { generateKey, revokeKey, signingKey, trustKey } from "../../src/trust/key-changes.ts";
import { readTrust, refuseRevokedKey } from "../../src/trust/key-store.ts";
import { signDigest } from "../../src/trust/signature.ts";
import { createFakeHost } from "../fakes/fake-host.ts";
import { refusal } from "../registry/support.ts";
import { tempFolder } from "./support.ts";

const host = createHost();
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe("making keys", () => {
  test("T27 a new pair is PEM, 0600 in a 0700 folder, and trusted by nobody", async () => {
    await using folder = tempFolder();
    const config = join(folder.path, "config");
    const { id, privateFile, publicFile } = await generateKey(host, config, "ci");
    expect(id).toMatch(/^[0-9a-f]{16}$/);
    expect([privateFile, publicFile]).toEqual([
      join(config, "keys", `${id}.key`),
      join(config, "keys", `${id}.pub`),
    ]);
    expect([mode(join(config, "keys")), mode(privateFile), mode(publicFile)]).toEqual(["700", "600", "600"]);
    expect(readFileSync(privateFile, "utf8")).toStartWith("-----BEGIN PRIVATE KEY-----\n");
    expect(readFileSync(publicFile, "utf8")).toStartWith("gum key: ci\n-----BEGIN PUBLIC KEY-----\n");
    expect(createPublicKey(readFileSync(publicFile, "utf8")).asymmetricKeyType).toBe("ed25519");
    expect((await readTrust(host, config)).trusted.size).toBe(0);
  });

  test("a name that could not stand on one line is refused, and nothing is made", async () => {
    await using folder = tempFolder();
    for (const name of ["", "a b", "../x", "-x", "a\nb", "x".repeat(65)]) {
      const { code } = await refusal(() => generateKey(host, folder.path, name));
      expect([name, code, readdirSync(folder.path)]).toEqual([name, "USAGE", []]);
    }
  });
});

describe("trusting and revoking", () => {
  test("T27 a trusted key is copied by its id, and trusting it twice changes nothing", async () => {
    await using folder = tempFolder();
    const config = join(folder.path, "config");
    const { id, publicFile } = await generateKey(host, join(folder.path, "elsewhere"), "pub");
    expect((await trustKey(host, config, publicFile)).changed).toBe(true);
    const copy = join(config, "trusted-keys", `${id}.pem`);
    expect([mode(join(config, "trusted-keys")), mode(copy)]).toEqual(["700", "600"]);
    expect(readFileSync(copy, "utf8")).toBe(readFileSync(publicFile, "utf8"));
    expect((await trustKey(host, config, publicFile)).changed).toBe(false);
    expect([...(await readTrust(host, config)).trusted.keys()]).toEqual([id]);
  });

  test("T27 an own key is trusted by id or name, and a private key is never copied", async () => {
    await using folder = tempFolder();
    const { id, privateFile } = await generateKey(host, folder.path, "mine");
    const { code, message } = await refusal(() => trustKey(host, folder.path, privateFile));
    expect([code, message]).toEqual(["USAGE", `The file "${privateFile}" holds a private key.`]);
    expect(existsSync(join(folder.path, "trusted-keys"))).toBe(false);
    expect((await trustKey(host, folder.path, "mine")).key.id).toBe(id);
    expect((await trustKey(host, folder.path, id)).changed).toBe(false);
  });

  test("T27 a revoked key moves to the revoked ones, and cannot be trusted again", async () => {
    await using folder = tempFolder();
    const { id, publicFile } = await generateKey(host, folder.path, null);
    await trustKey(host, folder.path, publicFile);
    expect((await revokeKey(host, folder.path, id)).changed).toBe(true);
    expect(readdirSync(join(folder.path, "trusted-keys"))).toEqual([]);
    expect(readdirSync(join(folder.path, "revoked-keys"))).toEqual([`${id}.pem`]);
    expect((await revokeKey(host, folder.path, id)).changed).toBe(false);
    expect((await refusal(() => trustKey(host, folder.path, publicFile))).code).toBe("POLICY_DENIED");
    expect((await refusal(() => signingKey(host, folder.path, id))).code).toBe("POLICY_DENIED");
  });

  test("T27 every file of a revoked key stops counting, whatever its name", async () => {
    await using folder = tempFolder();
    const { id, publicFile } = await generateKey(host, join(folder.path, "elsewhere"), null);
    mkdirSync(join(folder.path, "trusted-keys"));
    for (const name of ["alice", "also-alice"])
      writeFileSync(join(folder.path, "trusted-keys", `${name}.pem`), readFileSync(publicFile));
    expect((await revokeKey(host, folder.path, "alice")).key.id).toBe(id);
    expect(readdirSync(join(folder.path, "trusted-keys"))).toEqual([]);
  });

  test("two keys of one name must be told apart by id", async () => {
    await using folder = tempFolder();
    const first = await generateKey(host, folder.path, "twin");
    await generateKey(host, folder.path, "twin");
    for (const work of [trustKey, revokeKey, signingKey]) {
      const { code, message } = await refusal(() => work(host, folder.path, "twin"));
      expect([code, message]).toEqual(["USAGE", '2 keys are named "twin": say which by its id.']);
    }
    expect((await trustKey(host, folder.path, first.id)).changed).toBe(true);
  });

  test("an unknown key is refused with the nearest id", async () => {
    await using folder = tempFolder();
    const { id } = await generateKey(host, folder.path, null);
    const near = `${id.slice(0, 15)}${id.endsWith("0") ? "1" : "0"}`;
    expect((await refusal(() => revokeKey(host, folder.path, near))).message).toBe(
      `No key "${near}" is trusted or owned in this profile: did you mean "${id}"?`,
    );
    expect((await refusal(() => trustKey(host, folder.path, "/none.pem"))).message).toBe(
      'The file "/none.pem" is not there.',
    );
  });
});

describe("the folders of keys", () => {
  test("a file that holds no key trusts nobody and is told; one that revokes nothing is an error", async () => {
    const files = { "/c/trusted-keys/a.pem": "hello", "/c/trusted-keys/readme.txt": "hello" };
    const fake = createFakeHost({ files });
    expect((await readTrust(fake, "/c")).trusted.size).toBe(0);
    expect(fake.logged).toEqual([
      "warn: the file trusted-keys/a.pem holds no PEM public key; nobody is trusted by it",
    ]);
    const odd = createFakeHost({ files: { "/c/revoked-keys/alice.pem": "hello" } });
    expect((await refusal(() => readTrust(odd, "/c"))).code).toBe("CONFIG_INVALID");
    const named = createFakeHost({ files: { "/c/revoked-keys/0123456789abcdef.pem": "" } });
    expect((await readTrust(named, "/c")).revokedIds).toEqual(new Set(["0123456789abcdef"]));
  });

  test("R13 a plugin that a revoked key has signed is refused, and any other is not", async () => {
    const fake = createFakeHost({ files: { "/c/revoked-keys/0123456789abcdef.pem": "" } });
    const signedBy = (key_id: string | null) => ({ name: "fli", signature: { key_id } });
    const { code, message } = await refusal(() => refuseRevokedKey(fake, "/c", signedBy("0123456789abcdef")));
    expect([code, message]).toEqual([
      "PLUGIN_SIGNATURE_INVALID",
      'The plugin "fli" was signed by the key 0123456789abcdef, which was revoked.',
    ]);
    await refuseRevokedKey(fake, "/c", signedBy("fedcba9876543210"));
    await refuseRevokedKey(fake, "/c", signedBy(null));
  });
});

describe("signing", () => {
  test("T27 an own key signs by id, by name and by file", async () => {
    await using folder = tempFolder();
    const { id, privateFile } = await generateKey(host, folder.path, "mine");
    const digest = `sha256:${"0".repeat(64)}`;
    const made = new Set<string>();
    for (const wanted of [id, "mine", privateFile]) {
      const key = await signingKey(host, folder.path, wanted);
      expect(key.id).toBe(id);
      made.add(signDigest(digest, key.key));
    }
    expect(made.size).toBe(1);
  });

  test("a private key that others can read, another kind and no key at all sign nothing", async () => {
    await using folder = tempFolder();
    const { id, privateFile } = await generateKey(host, folder.path, null);
    chmodSync(privateFile, 0o640);
    const open = await refusal(() => signingKey(host, folder.path, id));
    expect([open.code, open.message]).toEqual([
      "POLICY_DENIED",
      `The private key "${id}" is open to other users.`,
    ]);
    chmodSync(privateFile, 0o600);
    expect((await signingKey(host, folder.path, id)).id).toBe(id);
    const rsa = join(folder.path, "rsa.pem");
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    writeFileSync(rsa, privateKey.export({ type: "pkcs8", format: "pem" }).toString(), { mode: 0o600 });
    const text = join(folder.path, "text.pem");
    writeFileSync(text, "hello", { mode: 0o600 });
    const messages: string[] = [];
    for (const wanted of [rsa, text, "nothing"]) {
      messages.push((await refusal(() => signingKey(host, folder.path, wanted))).message);
    }
    expect(messages).toEqual([
      `The key "${rsa}" is not an Ed25519 key, and gum signs with no other.`,
      `The file "${text}" holds no private key in PEM form.`,
      'There is no key "nothing": no own key and no file has that name.',
    ]);
  });
});
