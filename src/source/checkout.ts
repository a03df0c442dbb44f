import { join } from "node:path/posix";
import { GumError, isErrno } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import { fetchFailed } from "./fetch-failed.ts";
import { findProgram } from "./find-program.ts";
import { gitEnvironment, gitProtocols, gitSettings, plainAttributes } from "./git-command.ts";
import { intoStaging } from "./into-staging.ts";
import { fetchLimits } from "./limits.ts";
import { type Finished, runProgram } from "./run-program.ts";

export interface CheckoutOptions {
  readonly url: string;
  readonly commit: string;
  /** A folder of this transaction alone. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly limits?: { readonly archiveBytes: number; readonly totalMs: number } | undefined;
  readonly onProgress?: ((text: string) => void) | undefined;
}

/** Fetches exactly one commit and writes its files to a folder without `.git`; returns that folder. */
export async function checkout(host: Host, options: CheckoutOptions): Promise<string> {
  const git = await findProgram(host, "git");
  if (git === undefined) {
    throw new GumError("PLUGIN_FETCH_FAILED", "There is no git on the PATH to fetch the repository with.", {
      hint: "install git, or download an archive of the commit and name that",
    });
  }
  const repository = join(options.folder, "git");
  const tree = join(options.folder, "checkout");
  const home = join(options.folder, "git-home");
  await intoStaging("fetch", async () => {
    for (const folder of [repository, tree, home]) await host.files.mkdir(folder, { mode: 0o700 });
  });
  const run = gitRunner(host, git, options, { repository, tree, home });
  await required(options, await run(["init", "--quiet", "--template=", repository]));
  await host.files.mkdir(join(repository, "info"), { mode: 0o700, recursive: true });
  await host.files.writeNew(join(repository, "info/attributes"), plainAttributes, { mode: 0o600 });
  await fetchCommit(run, options);
  await required(options, await run(["checkout", "--quiet", "--force", "--detach", options.commit]));
  const head = await run(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  if (head.stdout.trim() !== options.commit)
    throw fetchFailed(shownUrl(options.url), `the commit ${options.commit} is not what was checked out`);
  await host.files.removeTree(repository);
  return tree;
}

type Run = (args: readonly string[]) => Promise<Finished>;

interface Folders {
  readonly repository: string;
  readonly tree: string;
  readonly home: string;
}

function gitRunner(host: Host, git: string, options: CheckoutOptions, folders: Folders): Run {
  const { archiveBytes, totalMs } = options.limits ?? fetchLimits;
  const env = {
    ...gitEnvironment(host.env, folders.home),
    GIT_DIR: folders.repository,
    GIT_WORK_TREE: folders.tree,
  };
  const settings = gitSettings(protocolOf(options.url));
  const deadline = host.clock.monotonic() + totalMs;
  return async (args) => {
    const finished = await runProgram(host, {
      file: git,
      args: [...settings, ...args],
      env,
      cwd: folders.tree,
      signal: options.signal,
      timeoutMs: Math.max(1, deadline - host.clock.monotonic()),
      watch: async () => ((await sizeOf(host, folders.repository)) > archiveBytes ? "too large" : undefined),
    });
    if (finished.ended === "too late")
      throw fetchFailed(shownUrl(options.url), `it took longer than ${totalMs / 1000} s`);
    if (finished.ended === "too large")
      throw fetchFailed(shownUrl(options.url), `the repository is larger than ${archiveBytes} bytes`);
    return finished;
  };
}

/** Whoever asks: no address makes git use a protocol that runs programs (`ext::`). */
function protocolOf(url: string): (typeof gitProtocols)[number] {
  const named = gitProtocols.find((protocol) => url.startsWith(`${protocol}://`));
  if (named !== undefined) return named;
  throw new GumError("PLUGIN_FETCH_FAILED", "The repository's address has a protocol that gum does not use.");
}

/** The commit alone where the server hands it out, else everything that its branches and tags reach. */
async function fetchCommit(run: Run, options: CheckoutOptions): Promise<void> {
  const { url, commit, onProgress } = options;
  const fetch = ["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"];
  onProgress?.("fetching the commit");
  const shallow = await run([...fetch, "--depth=1", "--", url, commit]);
  if (shallow.code === 0) return;
  onProgress?.("fetching the repository");
  const all = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
  await required(options, await run([...fetch, "--update-head-ok", "--", url, ...all]));
  const there = await run(["cat-file", "-e", `${commit}^{commit}`]);
  if (there.code !== 0)
    throw fetchFailed(shownUrl(url), `no branch or tag of the repository leads to the commit ${commit}`);
}

async function required(options: CheckoutOptions, { code, stderr }: Finished): Promise<void> {
  if (code === 0) return;
  throw fetchFailed(shownUrl(options.url), gitFault(stderr), undefined, {
    hint: "check the address and the commit; `git ls-remote` shows whether git can reach it without a question",
  });
}

const gitFaults: readonly (readonly [pattern: RegExp, says: string])[] = [
  [/could not resolve host|name or service not known/i, "the host is not known"],
  [
    /permission denied|authentication failed|could not read (?:username|password)|terminal prompts disabled|host key verification failed/i,
    "it needs a login that git does not have",
  ],
  [/not found|does not exist|does not appear to be a git repository/i, "there is no repository"],
  [/connection refused|failed to connect|couldn't connect/i, "the connection was refused"],
  [/certificate/i, "its certificate is not trusted"],
  [/no space left/i, "the disk is full"],
];

function gitFault(stderr: string): string {
  return gitFaults.find(([pattern]) => pattern.test(stderr))?.[1] ?? "git could not read the repository";
}

function shownUrl(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** Bytes below a folder; files that come and go while git works are passed over. */
async function sizeOf(host: Host, folder: string): Promise<number> {
  let total = 0;
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    try {
      for (const name of await host.files.list(at)) {
        const path = join(at, name);
        const facts = await host.files.lstat(path);
        if (facts.kind === "folder") folders.push(path);
        else total += facts.size;
      }
    } catch (error) {
      if (!isErrno(error, "ENOENT", "ENOTDIR")) throw error;
    }
  }
  return total;
}
