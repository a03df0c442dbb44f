import { type SecretStore, storeError } from "./store.ts";

/** The user's environment as a store that is only read. An empty variable is no value. */
export function createEnvStore(
  env: Readonly<Record<string, string | undefined>>,
  variableOf: (key: string) => string | null | undefined,
): SecretStore {
  const title = "the environment";
  const readOnly = { kind: "unavailable", reason: "it is only read" } as const;
  return {
    name: "environment",
    title,
    keeps: false,
    state: async () => ({ kind: "open" }),
    async get(key) {
      const variable = variableOf(key);
      const value = variable === undefined || variable === null ? undefined : env[variable];
      return value === undefined || value === "" ? { kind: "absent" } : { kind: "found", value };
    },
    set: () => Promise.reject(storeError({ title }, readOnly)),
    delete: () => Promise.reject(storeError({ title }, readOnly)),
  };
}
