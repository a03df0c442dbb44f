import type { Child, Host } from "../host/host.ts";
import { buildImage } from "../host/native/elf.ts";
import type { Arch } from "../host/native/numbers.ts";
import { roomParents, withRoom } from "../host/native/room.ts";
import type { Row } from "../host/native/row.ts";
import { outcomesOf, startImage } from "../host/native/start.ts";
import type { Outcome } from "../host/native/status.ts";
import type { Area, Attempt, Target } from "./attempt.ts";
import { attemptPaths, fileAttempts, metadataAttempts } from "./attempts-files.ts";
import { ipcAttempts, kernelAttempts } from "./attempts-kernel.ts";
import { networkAttempts } from "./attempts-network.ts";
import { processAttempts } from "./attempts-processes.ts";
import { errnoName } from "./errno.ts";
import { requireSandbox } from "./facets.ts";
import { type KernelFacts, kernelFacts } from "./kernel-facts.ts";
import { launchFailure } from "./launch-failure.ts";
import { confinementRows } from "./plan.ts";
import { openListener } from "./plan-attest.ts";
import { firstFree } from "./plan-descriptors.ts";
import { watchdogRows } from "./plan-watchdog.ts";
import { makePolicy } from "./policy.ts";

/** Every attempt, in the order of the printed table. */
export const attempts: readonly Attempt[] = [
  ...fileAttempts,
  ...metadataAttempts,
  ...networkAttempts,
  ...processAttempts,
  ...ipcAttempts,
  ...kernelAttempts,
];

/**
 * `denied`: it works without the sandbox and not inside. `open`: it works inside. `unproven`: this machine or user
 * could not do it anyway, so that the refusal inside proves nothing.
 */
export type Verdict = "denied" | "open" | "unproven";

export interface AttemptResult {
  readonly id: string;
  readonly area: Area;
  readonly what: string;
  /** `ok`, or the errno that it was refused with. */
  readonly control: string;
  readonly confined: string;
  readonly verdict: Verdict;
  /** The Landlock version from which on it is denied, when this kernel's is older. */
  readonly needsAbi: number | undefined;
}

const droppedExit = 42;

/** Makes every attempt on this machine, without and with the sandbox (T25). */
export async function runEscapeAttempts(
  host: Host,
  options: { readonly facts?: KernelFacts; readonly only?: readonly Attempt[] } = {},
): Promise<AttemptResult[]> {
  const facts = options.facts ?? (await kernelFacts(host));
  requireSandbox(facts);
  const { arch } = facts;
  if (arch === undefined) return [];
  const victim = await startVictim(host, arch);
  try {
    const results: AttemptResult[] = [];
    for (const attempt of options.only ?? attempts) {
      const bench = { host, facts, arch, victimPid: victim.pid };
      const control = await makeAttempt(attempt, { ...bench, confined: false });
      const confined = await makeAttempt(attempt, { ...bench, confined: true });
      results.push(resultOf(attempt, control, confined, facts));
    }
    return results;
  } finally {
    victim.kill("SIGKILL");
    for (const pipe of victim.pipes) pipe?.destroy();
  }
}

function resultOf(attempt: Attempt, control: string, confined: string, facts: KernelFacts): AttemptResult {
  const verdict = confined === "ok" ? "open" : control === "ok" ? "denied" : "unproven";
  const { id, area, what, needsAbi } = attempt;
  const older = needsAbi !== undefined && facts.landlockAbi < needsAbi;
  return { id, area, what, control, confined, verdict, needsAbi: older ? needsAbi : undefined };
}

interface Bench {
  readonly host: Host;
  readonly facts: KernelFacts;
  readonly arch: Arch;
  readonly victimPid: number;
  readonly confined: boolean;
}

/** `ok` when the attempt did what it wanted, else why not. */
function makeAttempt(attempt: Attempt, bench: Bench): Promise<string> {
  const { host } = bench;
  const parents = roomParents({ env: host.env, home: host.machine.home });
  return withRoom(host.files, parents, async (folder) => {
    const target: Target = {
      ...attemptPaths(folder),
      victimPid: bench.victimPid,
      gumPid: host.machine.pid,
      free: firstFree(false) + (bench.confined ? 0 : 1), // unconfined, the listener stays with the process
    };
    await furnish(host, target, bench.arch);
    const rows = bench.confined ? confinedRows(attempt, target, folder, bench) : freeRows(attempt, target);
    const image = buildImage(rows, bench.arch);
    const child = await startImage(host, image, {
      folder,
      env: {},
      stdio: ["pipe", "pipe", "pipe", "pipe", "pipe"],
    });
    try {
      const [outcomes, exit] = await Promise.all([outcomesOf(child, image), child.exited]);
      if (exit.code === droppedExit) return "ok";
      const said = judge(outcomes, exit.code);
      if (said !== "ok" || attempt.happened === undefined) return said;
      return (await attempt.happened(host, target)) ? "ok" : "no effect";
    } finally {
      release(child);
    }
  });
}

function judge(outcomes: readonly Outcome[], code: number | null): string {
  const unexpected = outcomes.find(({ row }) => row.expect !== "report");
  if (unexpected !== undefined) throw launchFailure(unexpected);
  const refusal = outcomes.find(({ result }) => result < 0);
  if (refusal !== undefined) return errnoName(refusal.result);
  return code === 0 && outcomes.length > 0 ? "ok" : "killed";
}

const end: Row = { name: "end", call: "exit_group", args: [0], expect: "any" };

function freeRows(attempt: Attempt, target: Target): Row[] {
  const free = firstFree(false);
  return [
    { name: "close other descriptors", call: "close_range", args: [free, 0xffffffff, 0], expect: 0 },
    ...openListener({ file: "", socket: target.socket }, free),
    ...attempt.rows(target),
    end,
  ];
}

function confinedRows(attempt: Attempt, target: Target, folder: string, { host, facts, arch }: Bench): Row[] {
  const policy = makePolicy({
    network: attempt.network,
    fsWriteDir: "",
    grants: { read: [], write: [], shm: false },
    installRoot: target.root,
    dataDir: target.data,
    runtimes: [],
    userHome: host.machine.home,
    gumFolders: [],
  });
  const rows = confinementRows({
    policy,
    arch,
    landlockAbi: facts.landlockAbi,
    parentPid: host.machine.pid,
    isRoot: host.machine.uid === 0,
    attestation: { file: `${folder}/attestation`, socket: target.socket },
    program: { path: "", argv: [], cwd: "/", byDescriptor: false },
  });
  return [...rows, ...attempt.rows(target), end, ...watchdogRows(firstFree(false))];
}

async function furnish(host: Host, { outside, data, root }: Target, arch: Arch): Promise<void> {
  const { files } = host;
  for (const folder of [outside, `${outside}/folder`, data, root]) await files.mkdir(folder, { mode: 0o700 });
  const attestation = `${outside.slice(0, outside.lastIndexOf("/"))}/attestation`;
  await files.writeNew(attestation, "gum\n", { mode: 0o600 });
  await files.writeNew(`${outside}/secret`, "secret\n", { mode: 0o600 });
  await files.writeNew(`${outside}/victim`, "victim\n", { mode: 0o600 });
  await files.writeNew(`${root}/file`, "file\n", { mode: 0o600 });
  const dropped = buildImage([{ ...end, args: [droppedExit] }], arch);
  await files.writeNew(`${data}/dropped`, dropped.bytes, { mode: 0o700 });
}

/** A process that does nothing but be there. */
function startVictim(host: Host, arch: Arch): Promise<Child> {
  const parents = roomParents({ env: host.env, home: host.machine.home });
  const wait: Row = { name: "wait", call: "read", args: [0, 0, 1], expect: "any" };
  return withRoom(host.files, parents, (folder) => {
    const stdio = ["pipe", "pipe", "pipe", "pipe"] as const;
    return startImage(host, buildImage([wait, end], arch), { folder, env: { SECRET: "gum" }, stdio });
  });
}

function release(child: Child): void {
  for (const pipe of child.pipes) pipe?.destroy();
}
