import { defineStep } from "../pipeline/step.ts";
import { openStore } from "../secrets/open-store.ts";
import { secretKey } from "../secrets/store.ts";

/** Keeps what was collected; when the run fails, what was kept before is kept again. */
export const storeCredentials = defineStep({
  name: "store-credentials",
  summary: "Keep the collected credentials in the profile's keychain.",
  needs: ["installed", "profile", "collected"],
  gives: ["stored"],
  codes: ["KEYCHAIN_UNAVAILABLE"],
  async run({ installed, profile, collected }, { host, rollback, note }) {
    const store = openStore(host, profile);
    if (collected.size === 0 || !store.keeps || (await store.state()).kind !== "open") {
      note("nothing to keep");
      return { stored: [] };
    }
    const stored: string[] = [];
    for (const [alias, value] of collected) {
      const key = secretKey(profile.name, installed.name, alias);
      const before = await store.get(key);
      if (before.kind === "found" && before.value === value) continue;
      rollback.defer(async () => {
        if (before.kind === "found") await store.set(key, before.value);
        else await store.delete(key);
      });
      await store.set(key, value);
      stored.push(alias);
    }
    note(`${stored.length} kept in ${store.title}`);
    return { stored };
  },
});
