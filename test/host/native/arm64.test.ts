import { describe, expect, test } from "bun:test";
import { buildImage, type Image } from "../../../src/host/native/elf.ts";
import type { Row } from "../../../src/host/native/row.ts";
import { Arm64Machine, Stopped } from "./arm64-machine.ts";

const exitGroup = 94n;
const write = 64n;
const stack = 0x7000_0000n;

interface Seen {
  readonly calls: { number: number; args: number[] }[];
  readonly told: { row: number; result: number }[];
  exit: number | undefined;
}

/** Runs the image on a fake kernel that answers calls in order; writes to the status and the exit are real. */
function runOn(image: Image, answers: readonly number[]): Seen {
  const view = new DataView(image.bytes.buffer);
  const seen: Seen = { calls: [], told: [], exit: undefined };
  const left = [...answers];
  const machine = new Arm64Machine(view.getBigUint64(24, true), stack, ({ number, args }, self) => {
    if (number === write && args[0] === 3n) {
      const at = args[1] ?? 0n;
      const row = (Number(self.read64(at)) - image.table) / 64;
      seen.told.push({ row, result: Number(BigInt.asIntN(64, self.read64(at + 8n))) });
      return args[2] ?? 0n;
    }
    if (number === exitGroup) {
      seen.exit = Number(args[0]);
      throw new Stopped();
    }
    seen.calls.push({ number: Number(number), args: args.map((arg) => Number(BigInt.asIntN(64, arg))) });
    return BigInt(left.shift() ?? 0);
  });
  for (const index of [0, 1]) {
    const at = 64 + index * 56;
    const [offset, address, size] = [8, 16, 32].map((field) => view.getBigUint64(at + field, true));
    machine.store(address ?? 0n, image.bytes.subarray(Number(offset), Number(offset) + Number(size)));
  }
  // argc, one argument, null, one variable, null
  [1n, 0xaaan, 0n, 0xbbbn, 0n].forEach((value, index) => {
    machine.write64(stack + BigInt(index * 8), value);
  });
  expect(() => machine.run(10_000)).toThrow(Stopped);
  return seen;
}

const end = (code: number): Row => ({ name: "end", call: "exit_group", args: [code], expect: "any" });
const row = (args: Row["args"], expected: Row["expect"]): Row => ({
  name: "row",
  call: "close",
  args,
  expect: expected,
});
const run = (rows: readonly Row[], ...answers: readonly number[]) =>
  runOn(buildImage(rows, "arm64"), answers);

describe("the loop for aarch64", () => {
  test("passes number and six arguments", () => {
    const seen = run([row([1, -2, 3, 0x1_0000_0000, 5, 6], 0), end(7)], 0);
    expect(seen.calls).toEqual([{ number: 57, args: [1, -2, 3, 0x1_0000_0000, 5, 6] }]);
    expect([seen.exit, seen.told]).toEqual([7, []]);
  });

  test("stops and tells at the first result that is another", () => {
    const seen = run([row([], -13), row([], 0), end(7)], -13, -1);
    expect([seen.exit, seen.told]).toEqual([126, [{ row: 1, result: -1 }]]);
  });

  test("knows each kind of expectation", () => {
    expect(run([row([], "any"), end(1)], -5).exit).toBe(1);
    expect(run([row([], "non-negative"), end(1)], 9).exit).toBe(1);
    expect(run([row([], "non-negative"), end(1)], -3).exit).toBe(126);
    const reported = run([row([], "report"), row([], "report"), end(1)], -9, 12);
    expect([reported.exit, reported.told]).toEqual([
      1,
      [
        { row: 0, result: -9 },
        { row: 1, result: 12 },
      ],
    ]);
  });

  test("jumps where a refusal has another way, and where a child goes on", () => {
    const target = { row: "target" };
    const rows = (kind: "or-else" | "fork") => [
      row([0, 0, 0, 0, 0, target], kind),
      end(1),
      { ...end(2), label: "target" },
    ];
    expect(run(rows("or-else"), -2).exit).toBe(2);
    expect(run(rows("or-else"), 4).exit).toBe(1);
    expect(run(rows("fork"), 0).exit).toBe(2);
    expect(run(rows("fork"), 1234).exit).toBe(1);
    expect(run(rows("fork"), -11).exit).toBe(126);
  });

  test("finds its environment behind its arguments", () => {
    const seen = run([row([1, "environment"], 0), end(0)], 0);
    expect(seen.calls[0]?.args[1]).toBe(Number(stack) + 24);
  });
});
