// The seccomp filter: what Landlock cannot see is decided here, per syscall and its arguments.
import { type Arch, lastReviewedSyscall, type SyscallName, syscallNumber } from "../host/native/numbers.ts";
import { BpfProgram } from "./bpf.ts";
import {
  forbiddenCalls,
  ownProcessCalls,
  pretendedCalls,
  unknownCalls,
  unsupportedCalls,
} from "./filter-lists.ts";
import { addSocketGuards } from "./filter-sockets.ts";
import { FilterWriter } from "./filter-writer.ts";

export interface FilterInput {
  readonly arch: Arch;
  readonly network: boolean;
  /** Whether programs other than the plugin's own may be started. */
  readonly exec: boolean;
  readonly landlockAbi: number;
}

const auditArch: Readonly<Record<Arch, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };
/** On x86-64 these numbers reach the x32 table, which this filter does not describe. */
const x32Bit = 0x40000000;

const newNamespaces = 0x7e020000; // CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
const newTimeNamespace = 0x80; // means a signal in clone, a namespace in unshare
const siblingOfGum = 0x8000; // CLONE_PARENT
const setIdBits = 0o6000;
const creates = 0o100 | 0o20000000; // O_CREAT, O_TMPFILE
const truncates = 0o1000; // O_TRUNC
const writes = 3; // O_WRONLY, O_RDWR
/** Typing into a terminal, taking one over, and flags or project ids of files. */
const forbiddenIoctls = [0x5412, 0x541c, 0x540e, 0x5423, 0x541d, 0x40086602, 0x401c5820];
const setParentDeathSignal = 1;
const keepPersonality = 0xffffffff;

/** The filter as the kernel takes it. */
export function buildFilter(input: FilterInput): Uint8Array {
  const program = new BpfProgram();
  const writer = new FilterWriter(program, (name) => syscallNumber(name, input.arch));
  checkArchitecture(program, input.arch);
  writer.answerAll(unknownCalls, "unknown");
  writer.answerAll(forbiddenCalls, "forbidden");
  writer.answerAll(pretendedCalls, "pretended");
  writer.answerAll(unsupportedCalls, "unsupported");
  if (!input.exec) writer.answerAll(["memfd_create"], "unknown"); // a file that Landlock lets anybody execute
  addSocketGuards(writer, input.network);
  addProcessGuards(writer, input.landlockAbi);
  addFileGuards(writer, input.landlockAbi);
  writer.answer("allowed");
  return program.bytes();
}

function checkArchitecture(program: BpfProgram, arch: Arch): void {
  const killProcess = 0x80000000;
  const unknown = 0x00050000 | 38;
  program.load(4);
  program.when("equal", auditArch[arch], "native");
  program.answer(killProcess);
  program.label("native");
  program.load(0);
  if (arch === "x64") {
    program.when("at-least", x32Bit, undefined, "not-x32");
    program.answer(killProcess);
    program.label("not-x32");
  }
  program.when("at-least", lastReviewedSyscall + 1, undefined, "reviewed");
  program.answer(unknown);
  program.label("reviewed");
}

function addProcessGuards(writer: FilterWriter, landlockAbi: number): void {
  writer.guard("clone", (on) => on.bits(0, newNamespaces | siblingOfGum, "forbidden"));
  writer.guard("unshare", (on) => on.bits(0, newNamespaces | newTimeNamespace, "forbidden"));
  for (const name of ownProcessCalls) writer.guard(name, (on) => on.unless(0, [0], "forbidden"));
  writer.guard("setpriority", (on) => {
    on.unless(0, [0], "forbidden"); // PRIO_PROCESS
    on.unless(1, [0], "forbidden");
  });
  writer.guard("prctl", (on) => on.values(0, [setParentDeathSignal], "pretended"));
  writer.guard("personality", (on) => on.unless(0, [0, keepPersonality], "forbidden"));
  writer.guard("ioctl", (on) => on.values(1, forbiddenIoctls, "forbidden"));
  // Without Landlock's signal scope at least nobody signals everybody at once.
  if (landlockAbi < 6) writer.guard("kill", (on) => on.values(0, [0xffffffff], "forbidden"));
}

function addFileGuards(writer: FilterWriter, landlockAbi: number): void {
  writer.guard("creat", (on) => on.bits(1, setIdBits, "forbidden"));
  writer.guard("mknod", (on) => on.bits(1, setIdBits, "forbidden"));
  writer.guard("mknodat", (on) => on.bits(2, setIdBits, "forbidden"));
  const opens: readonly (readonly [SyscallName, flags: number, mode: number])[] = [
    ["open", 1, 2],
    ["openat", 2, 3],
  ];
  for (const [name, flags, mode] of opens) {
    writer.guard(name, (on) => {
      on.bothBits([flags, creates], [mode, setIdBits], "forbidden");
      // Landlock learnt about truncation in its third version; a file opened for reading could be emptied before.
      if (landlockAbi < 3) on.bitsWithout(flags, truncates, writes, "forbidden");
    });
  }
  if (landlockAbi < 3) writer.answerAll(["truncate"], "forbidden");
}
