// The order in which a process becomes a confined plugin. It is data: the rows are run by a program that knows
// nothing but rows, and the first one with another result than expected ends the launch.
import type { Arch } from "../host/native/numbers.ts";
import { pointerList, type Row, text } from "../host/native/row.ts";
import {
  type Attestation,
  attestControl,
  attestFilter,
  attestLandlock,
  openListener,
} from "./plan-attest.ts";
import { closeAtStart, filterRows, folderRows, landlockRows } from "./plan-confine.ts";
import { descriptors, firstFree } from "./plan-descriptors.ts";
import { cleanProcess, limitRows, privilegeRows, tieToParent } from "./plan-process.ts";
import { releaseWatchdog, startWatchdog, watchdogRows } from "./plan-watchdog.ts";
import type { Policy } from "./policy.ts";

export interface PlanInput {
  readonly policy: Policy;
  readonly arch: Arch;
  readonly landlockAbi: number;
  /** The process that must still be the parent when the plan runs. */
  readonly parentPid: number;
  readonly isRoot: boolean;
  readonly attestation: Attestation;
  readonly program: {
    readonly path: string;
    readonly argv: readonly string[];
    readonly cwd: string;
    /** Run what the descriptor holds, whatever the path holds by now. */
    readonly byDescriptor: boolean;
  };
}

export const readyRow = "be ready";
export const execRow = "start the program";

/** The proof that every row before had its result; what follows can only be the program's own fault. */
const ready: Row = { name: readyRow, call: "getpid", args: [], expect: "report" };

/** Everything from a fresh child of gum to the plugin's first instruction. */
export function makePlan(input: PlanInput): Row[] {
  const free = firstFree(input.program.byDescriptor);
  return [...confinementRows(input), ready, startRow(input.program), ...watchdogRows(free)];
}

/** The rows after which the process is confined; the rows of the watchdog must come at the end of the plan. */
export function confinementRows(input: PlanInput): Row[] {
  const { policy, attestation, landlockAbi, arch } = input;
  const free = firstFree(input.program.byDescriptor);
  return [
    ...cleanProcess(free),
    ...openListener(attestation, free),
    ...startWatchdog(free),
    ...limitRows(policy.limits),
    ...tieToParent(input.parentPid),
    ...privilegeRows(input.isRoot),
    ...folderRows(policy.folders, free),
    ...attestControl(attestation, free),
    ...landlockRows(policy, landlockAbi, free),
    ...attestLandlock(attestation, { landlockAbi, network: policy.network, free }),
    releaseWatchdog(),
    enterFolder(input.program.cwd),
    closeAtStart(),
    ...filterRows({ arch, landlockAbi, network: policy.network, exec: policy.exec }),
    ...attestFilter(policy.network),
  ];
}

/** The start without confinement: a session of its own and a watchdog, but every right of the user. */
export function makeUnconfinedPlan({ parentPid, program }: Pick<PlanInput, "parentPid" | "program">): Row[] {
  const free = firstFree(program.byDescriptor);
  return [
    ...cleanProcess(free),
    ...startWatchdog(undefined),
    ...tieToParent(parentPid),
    releaseWatchdog(),
    enterFolder(program.cwd),
    closeAtStart(),
    ready,
    startRow(program),
    ...watchdogRows(free),
  ];
}

function enterFolder(cwd: string): Row {
  return { name: "enter the working folder", call: "chdir", args: [text(cwd)], expect: 0 };
}

function startRow(program: PlanInput["program"]): Row {
  const argv = pointerList(program.argv.map(text));
  const emptyPath = 0x1000; // AT_EMPTY_PATH
  if (program.byDescriptor) {
    const args = [descriptors.executable, text(""), argv, "environment", emptyPath] as const;
    return { name: execRow, call: "execveat", args, expect: 0 };
  }
  return { name: execRow, call: "execve", args: [text(program.path), argv, "environment"], expect: 0 };
}
