// A locked Secret Service answers "nothing there" to every question, and only refuses to be written. So gum keeps one
// item of its own that says nothing: while it can be read, "nothing there" is true; when it cannot, writing it tells.
import type { Clock, Keychain } from "../host/host.ts";
import { type SecretAnswer, type SecretStore, type StoreFault, storeError, valueFault } from "./store.ts";

const service = "gum";
const probe = { account: "gum.probe", value: "here" } as const;

/** Long enough for a person who is asked to unlock it; a service that never answers must not hang gum. */
const waitMs = 20_000;
const restMs = 60_000;

/** The keychain of the operating system as a store. */
export function createKeychainStore(host: {
  readonly keychain: Keychain;
  readonly clock: Clock;
}): SecretStore {
  const { keychain, clock } = host;
  const title = `the ${keychain.name}`;
  let dead: (StoreFault & { readonly until: number }) | undefined;

  /** One question to the keychain; when it cannot be reached, it is left alone for a while. */
  const ask = async <T>(question: () => Promise<T>): Promise<{ readonly value: T } | StoreFault> => {
    if (keychain.absence !== undefined) return { kind: "unavailable", reason: keychain.absence };
    if (dead !== undefined && clock.monotonic() < dead.until) return { kind: dead.kind, reason: dead.reason };
    try {
      return { value: await within(clock, question) };
    } catch (error) {
      const fault = faultOf(error);
      if (fault.kind === "unavailable") dead = { ...fault, until: clock.monotonic() + restMs };
      return fault;
    }
  };

  const state = async (): Promise<{ readonly kind: "open" } | StoreFault> => {
    const seen = await ask(() => keychain.get(service, probe.account));
    if (isFault(seen)) return seen;
    if (seen.value === probe.value) return { kind: "open" };
    const written = await ask(() => keychain.set(service, probe.account, probe.value));
    return isFault(written) ? written : { kind: "open" };
  };

  const get = async (key: string): Promise<SecretAnswer> => {
    const look = () => ask(() => keychain.get(service, key));
    const first = await look();
    if (isFault(first)) return first;
    if (first.value !== undefined) return { kind: "found", value: first.value };
    const now = await state();
    if (now.kind !== "open") return now;
    // Somebody may have unlocked it just now.
    const second = await look();
    if (isFault(second)) return second;
    return second.value === undefined ? { kind: "absent" } : { kind: "found", value: second.value };
  };

  return {
    name: "keychain",
    title,
    keeps: true,
    state,
    get,
    async set(key, value) {
      const bad = valueFault(value);
      if (bad !== undefined) throw storeError({ title }, { kind: "unavailable", reason: `the value ${bad}` });
      const written = await ask(() => keychain.set(service, key, value));
      if (isFault(written)) throw storeError({ title }, written);
      const kept = await ask(() => keychain.get(service, key));
      if (isFault(kept)) throw storeError({ title }, kept);
      if (kept.value !== value) {
        throw storeError({ title }, { kind: "unavailable", reason: "it did not keep the value as it was" });
      }
    },
    async delete(key) {
      const gone = await ask(() => keychain.delete(service, key));
      if (isFault(gone)) throw storeError({ title }, gone);
      if (gone.value) return true;
      const answer = await get(key);
      if (answer.kind === "found") return keychain.delete(service, key);
      if (answer.kind !== "absent") throw storeError({ title }, answer);
      return false;
    },
  };
}

function isFault(answer: object): answer is StoreFault {
  return "reason" in answer;
}

/** The system's own words without its numbers; they name no item. */
function faultOf(error: unknown): StoreFault {
  const said = error instanceof Error ? error.message : String(error);
  const reason = said.replace(/\s*\(code: \d+\)$/, "").replace(/\.$/, "");
  return { kind: /\block/i.test(reason) ? "locked" : "unavailable", reason };
}

async function within<T>(clock: Clock, question: () => Promise<T>): Promise<T> {
  const done = new AbortController();
  const late = clock.sleep(waitMs, done.signal).then(
    () => Promise.reject(new Error("it does not answer")),
    () => new Promise<never>(() => undefined), // the answer has come
  );
  try {
    return await Promise.race([question(), late]);
  } finally {
    done.abort();
  }
}
