import { join } from "node:path/posix";
import type { Host } from "../host/host.ts";
import type { Profile } from "../model/profile.ts";
import { createEnvStore } from "./env-store.ts";
import { keySource } from "./file-key.ts";
import { createFileStore } from "./file-store.ts";
import { createKeychainStore } from "./keychain-store.ts";
import type { SecretStore } from "./store.ts";

/** The place where this profile keeps credentials; with the backend `env` there is none that keeps anything. */
export function openStore(host: Host, profile: Profile): SecretStore {
  const settings = profile.credentials;
  if (settings?.backend === "file") {
    return createFileStore(
      host.files,
      join(profile.dataDir, "secrets.json"),
      keySource(host, profile.configDir, settings),
    );
  }
  if (settings?.backend === "env") return createEnvStore({}, () => undefined);
  const known = keychains.get(host.keychain);
  if (known !== undefined) return known;
  const store = createKeychainStore(host);
  keychains.set(host.keychain, store);
  return store;
}

/** A keychain that did not answer is not asked again by the same process. */
const keychains = new WeakMap<object, SecretStore>();
