import { basename, dirname } from "node:path/posix";
import type { Host } from "../host/host.ts";
import { roomParents } from "../host/native/room.ts";
import { isDeniedEnv } from "../model/env-denylist.ts";
import { type Environment, makeEnvironment } from "./environment.ts";
import { makePolicy, type PathRule, type Policy } from "./policy.ts";
import { liesWithin, protectedFrom, type Surroundings } from "./sensitive.ts";

/** An interpreter that is about to be asked. */
export interface Questioned {
  readonly policy: Policy;
  /** It stands in for another program that it finds by the user's settings (pyenv, rbenv, asdf, mise). */
  readonly isShim: boolean;
  /** The folder above its own, where a shim's manager keeps everything. */
  readonly root: string;
}

/** What version managers are told by, below the home. */
const managerFiles = [".tool-versions", ".asdfrc", ".config/mise/config.toml"];
const managerVariables = /^(?:PYENV|RBENV|NODENV|ASDF|MISE|PLENV|PHPENV)_[A-Z_]+$/;

/** The least with which an interpreter, or a shim for one, can say what it is; `scratch` is all that it may write. */
export async function askingPolicy(host: Host, path: string, scratch: string): Promise<Questioned> {
  const { files, machine } = host;
  const userHome = (await files.exists(machine.home)) ? await files.realpath(machine.home) : machine.home;
  const gumFolders = roomParents({ env: host.env, home: machine.home }).map((parent) => dirname(parent));
  const where = { userHome, gumFolders };
  const folder = await files.realpath(dirname(path));
  const isShim = basename(folder) === "shims";
  const root = dirname(folder);
  const [empty, data] = [`${scratch}/root`, `${scratch}/data`];
  for (const made of [empty, data]) await files.mkdir(made, { mode: 0o700 });
  const policy = makePolicy({
    network: false,
    fsWriteDir: "",
    grants: { read: [], write: [], shm: false },
    installRoot: empty,
    dataDir: data,
    runtimes: [await files.realpath(path)],
    ...where,
  });
  const besides = [...rootRule(folder, where), ...(isShim ? managerRules(userHome) : [])];
  return { policy: { ...policy, rules: [...policy.rules, ...besides] }, isShim, root };
}

/** The installation that the path names, which a link may lead out of: a virtual environment, a manager's folder. */
function rootRule(folder: string, where: Surroundings): PathRule[] {
  const root = dirname(folder);
  if (!["bin", "shims"].includes(basename(folder)) || root === "/") return [];
  if (protectedFrom(root, where).some((inner) => liesWithin(inner, root))) return [];
  return [{ path: root, access: "read-exec", kind: "folder", presence: "required" }];
}

function managerRules(home: string): PathRule[] {
  return managerFiles.map((name) => ({
    path: `${home}/${name}`,
    access: "read",
    kind: "file",
    presence: "optional",
  }));
}

/** Nothing of the user's; a shim also gets where its manager is and the home by whose files it chooses. */
export function askingEnvironment(host: Host, { policy, isShim, root }: Questioned): Environment {
  const { home, temporary } = policy;
  const input = { home, temporary, network: false, literal: {}, allowed: [], credentials: {} };
  const env = makeEnvironment({ ...input, user: {} });
  if (!isShim) return env;
  const names = Object.keys(host.env).filter((name) => managerVariables.test(name) && !isDeniedEnv(name));
  const settings = names.map((name) => [name, host.env[name] ?? ""]);
  return {
    ...env,
    ...Object.fromEntries(settings),
    HOME: host.machine.home,
    PATH: `${root}/bin:${env.PATH}`,
  };
}
