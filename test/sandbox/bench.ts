import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import type { Exit, Host, OpenFile } from "../../src/host/host.ts";
import { createHost } from "../../src/host/real.ts";
import { makeEnvironment } from "../../src/sandbox/environment.ts";
import { type Confined, type LaunchOptions, launch } from "../../src/sandbox/launch.ts";
import type { Policy, PolicyInput } from "../../src/sandbox/policy.ts";
import { preparePolicy } from "../../src/sandbox/prepare-policy.ts";

export interface Ran {
  readonly out: string;
  readonly err: string;
  readonly exit: Exit;
}

export interface StartOptions extends LaunchOptions {
  readonly policy?: Partial<PolicyInput>;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Start by path, as scripts are, although it is an ELF file. */
  readonly byPath?: boolean;
  readonly host?: Host;
}

/** A plugin's folders below one temporary folder, and ways to run things in them. */
export interface Bench {
  readonly base: string;
  readonly root: string;
  readonly data: string;
  /** The user's home, where a plugin has no business. */
  readonly home: string;
  readonly host: Host;
  policy(change?: Partial<PolicyInput>): Promise<Policy>;
  /** Starts the program confined. */
  start(argv: readonly [string, ...string[]], options?: StartOptions): Promise<Confined>;
  /** Runs the program confined to its end. */
  run(argv: readonly [string, ...string[]], options?: StartOptions): Promise<Ran>;
  /** Runs the program without any sandbox, as the control. */
  free(argv: readonly [string, ...string[]], env?: Readonly<Record<string, string>>): Promise<Ran>;
  /** Writes a file into the install root. */
  install(name: string, text: string, mode?: number): string;
  remove(): void;
}

const deadlineMs = 20_000;

export function makeBench(): Bench {
  const base = realpathSync(mkdtempSync(`${tmpdir()}/gum-bench-`));
  const [root, data, home] = [`${base}/root`, `${base}/data`, `${base}/home`];
  for (const folder of [root, data, home]) mkdirSync(folder, { mode: 0o700 });
  // What gum writes for itself goes into the bench, not into the home of whoever runs the tests.
  const own = createHost();
  const host = { ...own, env: { ...own.env, XDG_CACHE_HOME: `${base}/cache` } };

  const policy = (change: Partial<PolicyInput> = {}) =>
    preparePolicy(host, {
      network: false,
      fsWriteDir: "",
      grants: { read: [], write: [], shm: false },
      installRoot: root,
      dataDir: data,
      runtimes: [],
      userHome: home,
      gumFolders: [],
      ...change,
    });

  const start: Bench["start"] = async (argv, options = {}) => {
    const made = await policy(options.policy);
    const env = makeEnvironment({
      user: {},
      home: made.home,
      temporary: made.temporary,
      network: made.network,
      literal: options.env ?? {},
      allowed: [],
      credentials: {},
    });
    let executable: OpenFile | undefined;
    try {
      if (!options.byPath) executable = await host.files.open(argv[0], "read");
      const program = { executable, path: argv[0], argv, env, cwd: options.cwd ?? data };
      return await launch(options.host ?? host, made, program, options);
    } finally {
      await executable?.close();
    }
  };

  return {
    base,
    root,
    data,
    home,
    host,
    policy,
    start,
    async run(argv, options = {}) {
      return ended(await start(argv, options));
    },
    async free(argv, env = {}) {
      const child = Bun.spawn([...argv], {
        env: { PATH: "/usr/bin:/bin", HOME: home, TMPDIR: data, ...env },
        cwd: data,
        stdout: "pipe",
        stderr: "pipe",
        timeout: deadlineMs,
      });
      const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
      await child.exited;
      const signal = child.signalCode === null ? null : String(child.signalCode);
      return { out, err, exit: { code: child.exitCode, signal } };
    },
    install(name, text, mode = 0o755) {
      const path = `${root}/${name}`;
      writeFileSync(path, text, { mode });
      chmodSync(path, mode);
      return path;
    },
    remove() {
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** Waits for the end of a confined program and everything that it printed. */
export async function ended(confined: Confined): Promise<Ran> {
  const timer = setTimeout(() => confined.end(), deadlineMs);
  try {
    const [out, err, exit] = await Promise.all([
      textOf(confined.stdout),
      textOf(confined.stderr),
      confined.exited,
    ]);
    return { out, err, exit };
  } finally {
    clearTimeout(timer);
  }
}

/** Everything that a stream brings. */
export async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  let text = "";
  for await (const block of stream) text += String(block);
  return text;
}

/** Deno as npm installs it, or as the user has it. */
export function findDeno(): string | undefined {
  const modules = new URL("../../node_modules/@deno/", import.meta.url).pathname;
  const packaged = existsSync(modules) ? readdirSync(modules).map((name) => `${modules}${name}/deno`) : [];
  return [...packaged, Bun.which("deno") ?? ""].find((path) => path !== "" && existsSync(path));
}

/** The code and details of the error that a promise ends with. */
export async function refusal(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
    return "no refusal";
  } catch (error) {
    return error;
  }
}

/** True while a process with this text in its command line runs. */
export async function isRunning(host: Host, marker: string): Promise<boolean> {
  for (const name of await host.files.list("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if ((await host.files.readText(`/proc/${name}/cmdline`)).includes(marker)) return true;
    } catch {
      // It has ended meanwhile, or belongs to somebody else.
    }
  }
  return false;
}

/** Polls until the condition holds; false when the time is over. */
export async function eventually(condition: () => Promise<boolean>, ms = 10_000): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (performance.now() < deadline) {
    if (await condition()) return true;
    await Bun.sleep(5);
  }
  return false;
}
