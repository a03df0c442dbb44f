import { existsSync } from "node:fs";
import type { Keychain } from "./host.ts";
import { realProcesses } from "./processes.ts";

// The attributes are those that Bun's own keychain writes, so that gum finds the same items under both runtimes.
const schema = ["xdg:schema", "com.oven-sh.bun.Secret"] as const;

const places = ["/usr/bin/secret-tool", "/usr/local/bin/secret-tool", "/bin/secret-tool"];
const maxBytes = 1 << 20;

/** The Secret Service through the program secret-tool, for runtimes that cannot reach it themselves. */
export function createSecretTool(
  env: Readonly<Record<string, string | undefined>>,
): Pick<Keychain, "get" | "set" | "delete"> {
  const ask = (verb: readonly string[], service: string, account: string, input = ""): Promise<Ended> =>
    run(env, [...verb, ...schema, "service", service, "account", account], input);
  const get: Keychain["get"] = async (service, account) => {
    const { code, out, err } = await ask(["lookup"], service, account);
    if (code === 0) return out;
    if (err !== "") throw new Error(err);
    return undefined;
  };
  return {
    get,
    async set(service, account, value) {
      const { code, err } = await ask(["store", `--label=${account}`], service, account, value);
      if (code !== 0) throw new Error(err === "" ? `secret-tool ended with exit code ${code}` : err);
    },
    async delete(service, account) {
      const known = (await get(service, account)) !== undefined;
      const { code, err } = await ask(["clear"], service, account);
      if (code !== 0 && err !== "") throw new Error(err);
      return known;
    },
  };
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function run(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
  input: string,
): Promise<Ended> {
  const file = places.find((path) => existsSync(path));
  if (file === undefined) throw new Error("the program secret-tool (libsecret-tools) is not installed");
  const child = await realProcesses.spawn({
    file,
    args,
    env: Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) =>
        value === undefined || name.startsWith("GUM_") ? [] : [[name, value]],
      ),
    ),
    cwd: "/",
    stdio: ["pipe", "pipe", "pipe"],
  });
  const [stdin, stdout, stderr] = child.pipes;
  stdin?.on("error", () => undefined); // it has ended without reading: its exit code tells
  stdin?.end(input);
  const [out, err, { code }] = await Promise.all([textOf(stdout), textOf(stderr), child.exited]);
  return { code, out, err: err.replace(/^secret-tool: /, "").trim() };
}

async function textOf(stream: AsyncIterable<unknown> | undefined): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const block of stream ?? []) {
    text += block instanceof Uint8Array ? decoder.decode(block, { stream: true }) : String(block);
    if (text.length > maxBytes) throw new Error("secret-tool says more than a credential can be");
  }
  return text + decoder.decode();
}
