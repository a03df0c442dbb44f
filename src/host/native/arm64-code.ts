// The few aarch64 instructions that the loop is made of, under the same names as in x64-code.ts.
// Registers: x19 is the row, x8 the syscall's number, x0 its result, x9 what was expected.

const row = 19;
const expected = 9;
const distance19 = 0x7ffff;
const distance14 = 0x3fff;
const equal = 0x54000000;
const notEqual = 0x54000001;
const always = 0x5400000e;

export class Arm64Code {
  readonly #words: number[] = [];
  readonly #labels = new Map<string, number>();
  readonly #jumps: {
    readonly at: number;
    readonly to: string;
    readonly opcode: number;
    readonly mask: number;
  }[] = [];

  label(name: string): void {
    this.#labels.set(name, this.#words.length);
  }

  /** svc #0 */
  syscall(): void {
    this.#emit(0xd4000001);
  }

  setNumber(value: number): void {
    this.#move(8, value);
  }

  setFirstArgument(value: number): void {
    this.#move(0, value);
  }

  /** mov x1, sp */
  setSecondArgumentToStack(): void {
    this.#emit(0x910003e1);
  }

  setThirdArgument(value: number): void {
    this.#move(2, value);
  }

  setRow(address: number): void {
    this.#move(row, address);
  }

  /** add x19, x19, #imm12 */
  advanceRow(bytes: number): void {
    this.#emit(0x91000000 | (bytes << 10) | (row << 5) | row);
  }

  /** ldr x19, [x19, #48] */
  setRowToSixthArgument(): void {
    this.#emit(0xf9401a73);
  }

  /** At the very start: [sp] is argc; the environment begins behind argv and its null. Stored at [x19]. */
  storeEnvironment(): void {
    this.#emit(0xf94003e0); // ldr x0, [sp]
    this.#emit(0x8b206fe0); // add x0, sp, x0, lsl #3
    this.#emit(0x91004000); // add x0, x0, #16
    this.#emit(0xf9000260); // str x0, [x19]
  }

  loadNumberAndArguments(): void {
    this.#loadFromRow(8, 0);
    for (let argument = 0; argument < 6; argument++) this.#loadFromRow(argument, argument + 1);
  }

  loadExpected(): void {
    this.#loadFromRow(expected, 7);
  }

  /** stp x19, x0, [sp, #-16]!: on the stack they read { row address, result } */
  pushRecord(): void {
    this.#emit(0xa9bf03f3);
  }

  /** ldp x19, x0, [sp], #16 */
  popRecord(): void {
    this.#emit(0xa8c103f3);
  }

  /** cmp x0, x9; b.eq */
  whenAsExpected(to: string): void {
    this.#emit(0xeb09001f);
    this.#jump(equal, distance19, to);
  }

  whenExpecting(sentinel: number, to: string): void {
    this.#compareExpected(sentinel);
    this.#jump(equal, distance19, to);
  }

  whenNotExpecting(sentinel: number, to: string): void {
    this.#compareExpected(sentinel);
    this.#jump(notEqual, distance19, to);
  }

  /** tbnz x0, #63 */
  whenNegative(to: string): void {
    this.#jump(0xb7f80000, distance14, to);
  }

  /** cbnz x0 */
  whenNotZero(to: string): void {
    this.#jump(0xb5000000, distance19, to);
  }

  goto(to: string): void {
    this.#jump(always, distance19, to);
  }

  /** The finished code. */
  bytes(): Uint8Array {
    const bytes = new Uint8Array(this.#words.length * 4);
    const view = new DataView(bytes.buffer);
    this.#words.forEach((word, index) => {
      view.setUint32(index * 4, word >>> 0, true);
    });
    for (const { at, to, opcode, mask } of this.#jumps) {
      const target = this.#labels.get(to);
      if (target === undefined) throw new RangeError(`Cannot link: no place is called ${to}`);
      view.setUint32(at * 4, (opcode | (((target - at) & mask) << 5)) >>> 0, true);
    }
    return bytes;
  }

  /** cmn x9, #n, lsl #12: sentinels are negative multiples of 4096 */
  #compareExpected(sentinel: number): void {
    this.#emit(0xb140001f | ((-sentinel >> 12) << 10) | (expected << 5));
  }

  /** ldr x<register>, [x19, #8·cell] */
  #loadFromRow(register: number, cell: number): void {
    this.#emit(0xf9400000 | (cell << 10) | (row << 5) | register);
  }

  #move(register: number, value: number): void {
    this.#emit(0xd2800000 | ((value & 0xffff) << 5) | register); // movz
    this.#emit(0xf2a00000 | (((value >>> 16) & 0xffff) << 5) | register); // movk, lsl #16
  }

  #jump(opcode: number, mask: number, to: string): void {
    this.#jumps.push({ at: this.#words.length, to, opcode, mask });
    this.#emit(0);
  }

  #emit(word: number): void {
    this.#words.push(word);
  }
}
