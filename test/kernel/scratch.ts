import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Host } from "../../src/host/host.ts";
import { createHost } from "../../src/host/real.ts";
import { install } from "../../src/kernel/install.ts";
import type { Kernel } from "../../src/kernel/kernel.ts";
import { openKernel } from "../../src/kernel/open.ts";
import type { AskConsent } from "../../src/model/consent.ts";
import type { InstallFlags } from "../../src/model/install.ts";
import { createFakeKeychain, type FakeKeychain } from "../fakes/fake-keychain.ts";

export interface Scratch {
  readonly folder: string;
  readonly dataDir: string;
  readonly host: Host;
  /** Never that of whoever runs the tests. */
  readonly keychain: FakeKeychain;
  /** A kernel as a new process would open it. */
  kernel(options?: { profile?: string; pipelinesDir?: string; signal?: AbortSignal }): Promise<Kernel>;
  /** A copy of one of test/plugins whose files the test may change. */
  plugin(name: string, change?: (manifest: Record<string, unknown>) => void): string;
  [Symbol.dispose](): void;
}

/** A home of the test's own, with real files and processes, gone when the test's `using` ends. */
export function scratch(env: Readonly<Record<string, string>> = {}): Scratch {
  const folder = mkdtempSync(join(tmpdir(), "gum-kernel-"));
  const home = join(folder, "home");
  mkdirSync(home);
  const real = createHost();
  const keychain = createFakeKeychain();
  const host: Host = {
    ...real,
    env: { PATH: process.env.PATH, HOME: home, ...env },
    machine: { ...real.machine, home, cwd: folder },
    keychain,
  };
  return {
    folder,
    host,
    keychain,
    dataDir: join(home, ".local/share/gum/default"),
    kernel: ({ profile, pipelinesDir, signal } = {}) =>
      openKernel({
        host,
        signal: signal ?? new AbortController().signal,
        profileName: profile,
        pipelinesDir,
      }),
    plugin(name, change) {
      const copy = join(
        folder,
        "plugins",
        `${name}-${readdirSync(folder).length}-${Math.random().toString(36).slice(2, 8)}`,
      );
      cpSync(join(import.meta.dir, "../plugins", name), copy, { recursive: true });
      const file = join(copy, "manifest.json");
      const manifest = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
      change?.(manifest);
      writeFileSync(file, JSON.stringify(manifest, null, 2));
      return copy;
    },
    [Symbol.dispose]() {
      openUp(folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Install roots are read-only, and an unprivileged user cannot remove what is in such a folder. */
function openUp(path: string): void {
  if (!lstatSync(path).isDirectory()) return;
  chmodSync(path, 0o700);
  for (const name of readdirSync(path)) openUp(join(path, name));
}

const nobody: AskConsent = async () => "no-terminal";

/** Installs as a script would, with --yes unless said otherwise. */
export function installFrom(
  kernel: Kernel,
  source: string,
  more: Partial<InstallFlags> = {},
  options: { dryRun?: boolean; askConsent?: AskConsent } = {},
) {
  const grants = { read: [], write: [], shm: false, capabilities: [] };
  const flags: InstallFlags = { yes: true, strict: false, devAllowNamespaceConflict: false, grants, ...more };
  return install(kernel, source, flags, {
    dryRun: options.dryRun ?? false,
    askConsent: options.askConsent ?? nobody,
  });
}

/** What interrupted or running installs have staged; a first install that failed leaves not even the folder. */
export function stagedIn(home: Pick<Scratch, "dataDir">): string[] {
  const folder = join(home.dataDir, "staging");
  return existsSync(folder) ? readdirSync(folder) : [];
}
