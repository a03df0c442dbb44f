// The loop that runs rows: load a row, make its syscall, judge the result, go on, jump, or tell gum and stop.
import { Arm64Code } from "./arm64-code.ts";
import type { Arch } from "./numbers.ts";
import { sentinels } from "./row.ts";
import { X64Code } from "./x64-code.ts";

export interface LoopPlaces {
  /** Address of the first row. */
  readonly table: number;
  /** Address of eight bytes that are set to the address of the program's environment before the first row. */
  readonly environmentCell: number;
}

export const rowBytes = 64;
/** The descriptor on which a program tells its outcomes. */
export const statusDescriptor = 3;
/** What a program ends with when a row did not have its result. */
export const failedExit = 126;

const recordBytes = 16;
const numbers = { x64: { write: 1, exit: 231 }, arm64: { write: 64, exit: 94 } } as const;

/** The machine code; its length does not depend on the places. */
export function buildLoop(arch: Arch, places: LoopPlaces): Uint8Array {
  const code = arch === "x64" ? new X64Code() : new Arm64Code();
  code.setRow(places.environmentCell);
  code.storeEnvironment();
  code.setRow(places.table);

  code.label("loop");
  code.loadNumberAndArguments();
  code.syscall();
  code.loadExpected();
  judgeResult(code);

  code.label("fail");
  tellGum(code, arch);
  code.setNumber(numbers[arch].exit);
  code.setFirstArgument(failedExit);
  code.syscall();

  code.label("report");
  tellGum(code, arch);

  code.label("next");
  code.advanceRow(rowBytes);
  code.goto("loop");
  return code.bytes();
}

/** Falls through to what follows when the result is a failure. */
function judgeResult(code: X64Code | Arm64Code): void {
  code.whenAsExpected("next");
  code.whenExpecting(sentinels.any, "next");
  code.whenExpecting(sentinels.report, "report");
  code.whenNegative("refused");
  code.whenExpecting(sentinels["non-negative"], "next");
  code.whenExpecting(sentinels["or-else"], "next");
  code.whenNotExpecting(sentinels.fork, "fail");
  code.whenNotZero("next"); // the parent of a fork

  code.label("jump");
  code.setRowToSixthArgument();
  code.goto("loop");

  code.label("refused");
  code.whenExpecting(sentinels["or-else"], "jump");
}

function tellGum(code: X64Code | Arm64Code, arch: Arch): void {
  code.pushRecord();
  code.setNumber(numbers[arch].write);
  code.setFirstArgument(statusDescriptor);
  code.setSecondArgumentToStack();
  code.setThirdArgument(recordBytes);
  code.syscall();
  code.popRecord();
}
