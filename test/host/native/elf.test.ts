import { describe, expect, test } from "bun:test";
import { buildImage } from "../../../src/host/native/elf.ts";
import { syscallNumber } from "../../../src/host/native/numbers.ts";
import { type Row, text } from "../../../src/host/native/row.ts";
import { readOutcomes } from "../../../src/host/native/status.ts";

const rows: Row[] = [
  { name: "one", call: "close", args: [9], expect: 0 },
  { name: "two", call: "exit_group", args: [0], expect: "any" },
];

describe("an image", () => {
  for (const [arch, machine] of [
    ["x64", 62],
    ["arm64", 183],
  ] as const) {
    test(`is an ELF program for ${arch} in which nothing is both writable and executable`, () => {
      const view = new DataView(buildImage(rows, arch).bytes.buffer);
      expect(view.getUint32(0, false)).toBe(0x7f454c46);
      expect([view.getUint16(16, true), view.getUint16(18, true)]).toEqual([2, machine]);
      const segments = [0, 1, 2].map((index) => {
        const at = 64 + index * 56;
        return { type: view.getUint32(at, true), flags: view.getUint32(at + 4, true) };
      });
      expect(segments).toEqual([
        { type: 1, flags: 5 },
        { type: 1, flags: 6 },
        { type: 0x6474e551, flags: 6 },
      ]);
    });

    test(`of ${arch} maps each byte at an address that fits its place in the file`, () => {
      const view = new DataView(buildImage(rows, arch).bytes.buffer);
      for (const index of [0, 1]) {
        const at = 64 + index * 56;
        const offset = view.getBigUint64(at + 8, true);
        const address = view.getBigUint64(at + 16, true);
        expect(address % 0x10000n).toBe(offset % 0x10000n);
        expect(offset + view.getBigUint64(at + 32, true)).toBeLessThanOrEqual(BigInt(view.byteLength));
      }
    });
  }

  test("refuses rows that lead nowhere, share a label or do not exist on the architecture", () => {
    const jump: Row = {
      name: "jump",
      call: "close",
      args: [1, 0, 0, 0, 0, { row: "nowhere" }],
      expect: "or-else",
    };
    expect(() => buildImage([jump], "x64")).toThrow("none is called nowhere");
    const blind: Row = { name: "blind", call: "clone", args: [17], expect: "fork" };
    expect(() => buildImage([blind], "x64")).toThrow("blind does not say where it leads");
    const twins = rows.map((row) => ({ ...row, label: "same" }));
    expect(() => buildImage(twins, "x64")).toThrow("two are called same");
    const old: Row = { name: "old", call: "chmod", args: [], expect: 0 };
    expect(() => buildImage([old], "arm64")).toThrow("arm64 has no chmod");
  });

  test("refuses text with a zero byte, which the kernel would cut", () => {
    expect(() => text("/safe\0/evil")).toThrow("holds a zero byte");
  });

  test("reads outcomes by the address of their row and refuses what is cut or foreign", () => {
    const image = buildImage(rows, "x64");
    const record = new Uint8Array(16);
    const view = new DataView(record.buffer);
    view.setBigUint64(0, BigInt(image.table + 64), true);
    view.setBigInt64(8, -13n, true);
    expect(readOutcomes(record, image).map(({ row, result }) => [row.name, result])).toEqual([["two", -13]]);
    expect(() => readOutcomes(record.subarray(0, 9), image)).toThrow("a record is cut");
    view.setBigUint64(0, 1n, true);
    expect(() => readOutcomes(record, image)).toThrow("a record names no row");
  });
});

describe("syscall numbers", () => {
  test("are those of each architecture", () => {
    const of = (name: Parameters<typeof syscallNumber>[0]) => [
      syscallNumber(name, "x64"),
      syscallNumber(name, "arm64"),
    ];
    expect(of("openat")).toEqual([257, 56]);
    expect(of("execveat")).toEqual([322, 281]);
    expect(of("clone")).toEqual([56, 220]);
    expect(of("seccomp")).toEqual([317, 277]);
    expect(of("prlimit64")).toEqual([302, 261]);
    expect(of("landlock_restrict_self")).toEqual([446, 446]);
    expect(of("open")).toEqual([2, undefined]);
  });
});
