import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Keychain } from "./host.ts";

type Env = Readonly<Record<string, string | undefined>>;

const names: Readonly<Record<string, string>> = {
  linux: "Secret Service",
  darwin: "Keychain",
  win32: "Credential Manager",
};

/** The keychain of this machine; nothing is loaded or asked before it is used. */
export function createKeychain(env: Env): Keychain {
  const underDeno = "Deno" in globalThis;
  const open = async (): Promise<Pick<Keychain, "get" | "set" | "delete">> =>
    underDeno
      ? (await import("./keychain-secret-tool.ts")).createSecretTool(env)
      : (await import("./keychain-bun.ts")).bunKeychain;
  return {
    name: names[process.platform] ?? "keychain",
    get absence() {
      return absenceOn(process.platform, env, underDeno);
    },
    get: async (service, account) => (await open()).get(service, account),
    set: async (service, account, value) => (await open()).set(service, account, value),
    delete: async (service, account) => (await open()).delete(service, account),
  };
}

/**
 * Without a session bus there is no Secret Service, and asking for one would start a bus of its own on a machine with
 * a display: so gum looks for the bus first, as libdbus does.
 */
function absenceOn(platform: string, env: Env, underDeno: boolean): string | undefined {
  if (names[platform] === undefined) return `gum knows no keychain on ${platform}`;
  if (platform !== "linux") return underDeno ? "Deno cannot reach it" : undefined;
  const bus = env.DBUS_SESSION_BUS_ADDRESS;
  if (bus !== undefined && bus !== "") return undefined;
  const runtime = env.XDG_RUNTIME_DIR;
  if (runtime?.startsWith("/") && existsSync(join(runtime, "bus"))) return undefined;
  return "no session bus (D-Bus) runs here";
}
