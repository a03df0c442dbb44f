import { join } from "node:path/posix";
import { GumError } from "../../base/errors.ts";
import type { Grants } from "../../model/registry.ts";
import type { Description, Session } from "../../model/session.ts";
import { gumVersion } from "../../model/version.ts";
import { certificatePaths, makeEnvironment } from "../../sandbox/environment.ts";
import { resolveInterpreter } from "../../sandbox/interpreters.ts";
import { launch } from "../../sandbox/launch.ts";
import { limitsFor } from "../../sandbox/limits.ts";
import { ownFolders } from "../../sandbox/own-folders.ts";
import { preparePolicy } from "../../sandbox/prepare-policy.ts";
import { expand } from "../../steps/start-plugin.ts";
import { openMcp } from "../../wire/mcp.ts";
import type { Kernel } from "../kernel.ts";
import type { ServerPlan } from "./server-plan.ts";

/** What a server may do while it is asked, and what it is told. */
export interface ServerWishes {
  readonly grants: Grants;
  readonly network: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly envAllow: readonly string[];
  readonly timeoutMs: number;
}

/** Starts the server from its new folder, in the sandbox that it will have as a plugin, and asks for its tools. */
export async function listServer(
  kernel: Kernel,
  folder: string,
  plan: ServerPlan,
  id: string,
  wishes: ServerWishes,
): Promise<Description> {
  const { files } = kernel.host;
  const data = await files.mkdtemp(temporaryFolder(kernel), "gum-wrap-");
  try {
    const session = await start(kernel, { folder, data }, plan, id, wishes);
    try {
      return await session.describe();
    } finally {
      await session.close();
    }
  } catch (error) {
    kernel.signal.throwIfAborted();
    throw error instanceof GumError ? withGrant(error, wishes) : error;
  } finally {
    await files.removeTree(data);
  }
}

async function start(
  { host, profile, signal }: Kernel,
  { folder, data }: { readonly folder: string; readonly data: string },
  plan: ServerPlan,
  id: string,
  wishes: ServerWishes,
): Promise<Session> {
  const script = join(folder, plan.executable);
  const interpreter = await resolveInterpreter(host, script, {
    pathVariable: host.env.PATH ?? "",
    untrusted: [...ownFolders(profile), folder],
  });
  const { grants, network, env: literal, envAllow, timeoutMs } = wishes;
  const policy = await preparePolicy(host, {
    network,
    fsWriteDir: "",
    grants,
    installRoot: folder,
    dataDir: data,
    runtimes: interpreter === undefined ? [] : [interpreter.path],
    certificates: certificatePaths(host.env),
    userHome: host.machine.home,
    gumFolders: ownFolders(profile),
    limits: limitsFor(profile.limits, false),
  });
  const root = await host.files.realpath(folder);
  const places = { root, data: await host.files.realpath(data) };
  const env = makeEnvironment({
    user: host.env,
    home: policy.home,
    temporary: policy.temporary,
    network,
    literal: Object.fromEntries(Object.entries(literal).map(([name, text]) => [name, expand(text, places)])),
    allowed: envAllow,
    credentials: {},
  });
  const executable = interpreter === undefined ? await host.files.open(script, "read-no-follow") : undefined;
  try {
    const [path = "", ...first] = interpreter?.argv ?? [script];
    const argv = [path, ...first, ...plan.args.map((word) => expand(word, places))];
    const confined = await launch(host, policy, { executable, path, argv, env, cwd: root }, { signal });
    return await openMcp(host, confined, {
      plugin: id,
      version: gumVersion,
      signal,
      connectTimeoutMs: timeoutMs,
    });
  } finally {
    await executable?.close();
  }
}

function temporaryFolder({ host }: Kernel): string {
  return host.env.TMPDIR?.startsWith("/") ? host.env.TMPDIR : "/tmp";
}

/** The failure with the flag that would help, where the cause says so (W27). */
function withGrant(error: GumError, { network }: ServerWishes): GumError {
  const cause = error.info.details?.cause;
  const path = /was refused access to the file "([^"]+)"/.exec(error.message)?.[1];
  const hint =
    cause === "connect_denied" && !network
      ? "add --network, if you want the server to use it"
      : cause === "write_denied" && path !== undefined
        ? `add --allow-read ${path}, or --allow-write ${path} if it writes there; or give it another place with --env`
        : undefined;
  if (hint === undefined) return error;
  return new GumError(error.code, error.message, { ...error.info, hint });
}
