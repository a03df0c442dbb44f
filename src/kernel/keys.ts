import { appendAudit } from "../registry/audit.ts";
import { generateKey as makeKey, revokeKey as revoke, trustKey as trust } from "../trust/key-changes.ts";
import { keyFolders, readKeyFiles, readTrust } from "../trust/key-store.ts";
import type { PublicKey } from "../trust/public-key.ts";
import type { KeyChangeAnswer, KeyGenerateAnswer, KeyView } from "./answers-trust.ts";
import type { Kernel } from "./kernel.ts";

/** Makes an Ed25519 key pair; nobody trusts it before `trustKey`. */
export async function generateKey(kernel: Kernel, name: string | undefined): Promise<KeyGenerateAnswer> {
  const made = await makeKey(kernel.host, kernel.profile.configDir, name ?? null);
  await writeDown(kernel, "key.generate", made.id);
  const { id, privateFile, publicFile } = made;
  return { ok: true, id, name: name ?? null, private_file: privateFile, public_file: publicFile };
}

/** Every key of the profile, by id: own, trusted, revoked. */
export async function listKeys({ host, profile }: Kernel): Promise<KeyView[]> {
  const { own } = keyFolders(profile.configDir);
  const { trusted, revoked, revokedIds } = await readTrust(host, profile.configDir);
  const mine = (await readKeyFiles(host.files, own, ".pub")).flatMap(({ key }) =>
    "fault" in key ? [] : [key],
  );
  const trustedIds = new Set([...trusted.values()].map(({ id }) => id));
  const ownIds = new Set(mine.map(({ id }) => id));
  const all = new Map<string, PublicKey>();
  for (const key of [...mine, ...revoked.values(), ...trusted.values()]) all.set(key.id, key);
  return [...all.values()]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, name, kind }) => ({
      id,
      name,
      kind,
      own: ownIds.has(id),
      state: revokedIds.has(id) ? "revoked" : trustedIds.has(id) ? "trusted" : "untrusted",
    }));
}

/** Lets the signatures of a key count in this profile. */
export async function trustKey(kernel: Kernel, file: string): Promise<KeyChangeAnswer> {
  const { key, changed } = await trust(kernel.host, kernel.profile.configDir, file);
  if (changed) await writeDown(kernel, "key.trust", key.id);
  return { ok: true, id: key.id, state: "trusted", changed };
}

/** Makes sure that the signatures of a key never count again in this profile. */
export async function revokeKey(kernel: Kernel, id: string): Promise<KeyChangeAnswer> {
  const { key, changed } = await revoke(kernel.host, kernel.profile.configDir, id);
  if (changed) await writeDown(kernel, "key.revoke", key.id);
  return { ok: true, id: key.id, state: "revoked", changed };
}

async function writeDown({ host, profile }: Kernel, event: string, keyId: string): Promise<void> {
  await appendAudit(host, profile, {
    event,
    outcome: "ok",
    profile: profile.name,
    details: { key_id: keyId },
  });
}
