import { GumError } from "../base/errors.ts";
import type { Host, OpenFile } from "../host/host.ts";
import { googleTokenVariable } from "../model/auth-kinds.ts";
import { type Credentials, credentialNeeds } from "../model/credentials.ts";
import type { Plugin } from "../model/plugin.ts";
import type { PreparedStart } from "../model/prepared-start.ts";
import type { Profile } from "../model/profile.ts";
import type { Grants, Interpreter } from "../model/registry.ts";
import type { Session } from "../model/session.ts";
import { gumVersion } from "../model/version.ts";
import { certificatePaths, makeEnvironment } from "../sandbox/environment.ts";
import { launch } from "../sandbox/launch.ts";
import { limitsFor } from "../sandbox/limits.ts";
import { ownFolders } from "../sandbox/own-folders.ts";
import { preparePolicy } from "../sandbox/prepare-policy.ts";
import { wireOf } from "../wire/wires.ts";
import { guardLog, guardOf, guardStart } from "./guard-session.ts";
import { changedInterpreter, recordInterpreter } from "./interpreter-change.ts";
import { keepLog } from "./keep-log.ts";

/** A plugin that is about to run, and where. */
export interface Startable {
  readonly plugin: Plugin;
  readonly installRoot: string;
  /** The program and its arguments; for a script, interpreter and script come first. */
  readonly argv: readonly string[];
  readonly interpreter: Interpreter | null;
  readonly grants: Grants;
  /** The only place that it may write to; it exists. */
  readonly dataDir: string;
  /** What was found of what it needs from its user. */
  readonly credentials: Credentials;
}

/** Settles what the plugin may do: what it declared, what the operator granted, and nothing else. */
export async function prepareStart(
  host: Host,
  profile: Profile,
  startable: Startable,
): Promise<PreparedStart<OpenFile>> {
  const { plugin, interpreter } = startable;
  const root = await host.files.realpath(startable.installRoot);
  const data = await host.files.realpath(startable.dataDir);
  const folders = { root, data };
  await requirePresence(host, startable);
  const oneShot = plugin.shape === "handshake-plugin";
  const policy = await preparePolicy(host, {
    network: plugin.network,
    fsWriteDir: plugin.fs_write_dir,
    grants: startable.grants,
    installRoot: root,
    dataDir: data,
    runtimes: interpreter === null ? [] : [interpreter.path],
    certificates: certificatePaths(host.env),
    userHome: host.machine.home,
    gumFolders: ownFolders(profile),
    limits: limitsFor(profile.limits, oneShot),
    oneShot,
  });
  const env = makeEnvironment({
    user: host.env,
    home: policy.home,
    temporary: policy.temporary,
    network: plugin.network,
    literal: mapValues(plugin.env, (value) => expand(value, folders)),
    allowed: allowedNames(plugin),
    credentials: startable.credentials.env,
  });
  const guard = guardOf(startable.credentials);
  const start: PreparedStart<OpenFile>["start"] = async ({ verified, signal, connectTimeoutMs, peer }) => {
    const wire = wireOf(plugin.shape);
    const executable = interpreter === null ? verified : undefined;
    const [path = "", ...args] = startable.argv;
    const argv = [path, ...args.map((word) => expand(word, folders))];
    const changed = interpreter === null ? undefined : await changedInterpreter(host, profile, interpreter);
    const program = { executable, path, argv, env, cwd: root };
    const session = await wire.open(guardLog(guard, host), {
      plugin,
      granted: startable.grants.capabilities,
      version: gumVersion,
      launch: (timeoutMs) => launch(host, policy, program, { signal, timeoutMs }),
      signal,
      connectTimeoutMs,
      peer,
    });
    if (changed !== undefined) {
      const started = { name: plugin.id, installRoot: startable.installRoot };
      await closedOnFailure(session, () => recordInterpreter(host, profile, started, changed, session));
    }
    return session;
  };
  const guarded = guard === undefined ? start : guardStart(guard, start);
  return { env, start: keepLog(host, profile, plugin.id, guarded) };
}

/** Variables of the user's that pass as they are; credentials come from where they were found, and from nowhere else. */
function allowedNames(plugin: Plugin): string[] {
  const credentials = new Set(credentialNeeds(plugin).map(({ env }) => env));
  return plugin.env_allow.filter((name) => name !== googleTokenVariable && !credentials.has(name));
}

/** What was there at install may be gone since: that is said before a launch fails on it (W27). */
async function requirePresence({ files }: Host, { plugin, interpreter, grants }: Startable): Promise<void> {
  const gone = async (path: string): Promise<boolean> => !(await files.exists(path));
  if (interpreter !== null && (await gone(interpreter.path))) {
    throw new GumError("SERVICE_DOWN", `The interpreter of "${plugin.id}" is gone: ${interpreter.path}.`, {
      hint: "install the interpreter again, or reinstall the plugin to bind it to another one",
      details: { cause: "interpreter_not_found" },
    });
  }
  for (const path of [...grants.read, ...grants.write]) {
    if (!(await gone(path))) continue;
    throw new GumError("SERVICE_DOWN", `The path ${path}, which was granted to "${plugin.id}", is gone.`, {
      hint: "make it again, or install the plugin without that grant",
      details: { cause: "launch_failed" },
    });
  }
}

/** `${data}` and `${root}` in what a manifest says; nothing else is expanded (M42). */
export function expand(text: string, folders: { readonly data: string; readonly root: string }): string {
  return text.replace(/\$\{(data|root)\}/g, (_, name: "data" | "root") => folders[name]);
}

async function closedOnFailure(session: Session, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await session.close();
    throw error;
  }
}

function mapValues(
  record: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
