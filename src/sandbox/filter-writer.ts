import type { SyscallName } from "../host/native/numbers.ts";
import type { BpfProgram } from "./bpf.ts";

const errnoAction = 0x00050000;

/** What the filter can answer. */
export const actions = {
  allowed: 0x7fff0000,
  forbidden: errnoAction | 1, // EPERM
  pretended: errnoAction | 0, // success, and nothing done
  unknown: errnoAction | 38, // ENOSYS
  unsupported: errnoAction | 95, // ENOTSUP
  "no-protocol": errnoAction | 93, // EPROTONOSUPPORT
} as const;

export type Action = keyof typeof actions;

/** Writes the parts of a filter that speak about whole syscalls; between parts the accumulator holds the number. */
export class FilterWriter {
  readonly #program: BpfProgram;
  readonly #numberOf: (name: SyscallName) => number | undefined;

  constructor(program: BpfProgram, numberOf: (name: SyscallName) => number | undefined) {
    this.#program = program;
    this.#numberOf = numberOf;
  }

  answer(action: Action): void {
    this.#program.answer(actions[action]);
  }

  /** One answer for each of these syscalls, whatever their arguments. */
  answerAll(names: readonly SyscallName[], action: Action): void {
    const numbers = names.map(this.#numberOf).filter((number) => number !== undefined);
    if (numbers.length === 0) return;
    const hit = this.#program.freshLabel();
    const end = this.#program.freshLabel();
    numbers.forEach((number, index) => {
      this.#program.when("equal", number, hit, index === numbers.length - 1 ? end : undefined);
    });
    this.#program.label(hit);
    this.answer(action);
    this.#program.label(end);
  }

  /** Decides one syscall by its arguments; what the body leaves open is allowed. */
  guard(name: SyscallName, body: (on: ArgumentTests) => void): void {
    const number = this.#numberOf(name);
    if (number === undefined) return;
    const end = this.#program.freshLabel();
    this.#program.when("equal", number, undefined, end);
    body(new ArgumentTests(this.#program));
    this.answer("allowed");
    this.#program.label(end);
  }
}

/** Tests on the low halves of arguments, which is all that the kernel takes of an int; each ends in an answer or goes on. */
export class ArgumentTests {
  readonly #program: BpfProgram;

  constructor(program: BpfProgram) {
    this.#program = program;
  }

  /** Answers when the argument is one of the values, after masking. */
  values(argument: number, values: readonly number[], action: Action, mask?: number): void {
    this.#load(argument, mask);
    this.#oneOf(values, action);
  }

  /** Answers unless the argument is one of the values, after masking. */
  unless(argument: number, values: readonly number[], action: Action, mask?: number): void {
    const fine = this.#program.freshLabel();
    this.#load(argument, mask);
    for (const value of values) this.#program.when("equal", value, fine);
    this.#program.answer(actions[action]);
    this.#program.label(fine);
  }

  /** Answers when the argument has any of the bits. */
  bits(argument: number, bits: number, action: Action): void {
    const clear = this.#program.freshLabel();
    this.#load(argument);
    this.#program.when("any-bit", bits, undefined, clear);
    this.#program.answer(actions[action]);
    this.#program.label(clear);
  }

  /** Answers when both arguments have any of their bits. */
  bothBits(
    [first, firstBits]: readonly [argument: number, bits: number],
    [second, secondBits]: readonly [argument: number, bits: number],
    action: Action,
  ): void {
    const clear = this.#program.freshLabel();
    this.#load(first);
    this.#program.when("any-bit", firstBits, undefined, clear);
    this.#load(second);
    this.#program.when("any-bit", secondBits, undefined, clear);
    this.#program.answer(actions[action]);
    this.#program.label(clear);
  }

  /** Answers when the argument has any of `bits` and none of `without`. */
  bitsWithout(argument: number, bits: number, without: number, action: Action): void {
    const clear = this.#program.freshLabel();
    this.#load(argument);
    this.#program.when("any-bit", bits, undefined, clear);
    this.#program.when("any-bit", without, clear);
    this.#program.answer(actions[action]);
    this.#program.label(clear);
  }

  /** Decides the rest by the body when the argument has the value. */
  inCase(argument: number, value: number, body: () => void): void {
    const other = this.#program.freshLabel();
    this.#load(argument);
    this.#program.when("equal", value, undefined, other);
    body();
    this.#program.answer(actions.allowed);
    this.#program.label(other);
  }

  always(action: Action): void {
    this.#program.answer(actions[action]);
  }

  #load(argument: number, mask?: number): void {
    this.#program.load(argumentOffset(argument));
    if (mask !== undefined) this.#program.and(mask);
  }

  #oneOf(values: readonly number[], action: Action): void {
    const hit = this.#program.freshLabel();
    const end = this.#program.freshLabel();
    values.forEach((value, index) => {
      this.#program.when("equal", value, hit, index === values.length - 1 ? end : undefined);
    });
    this.#program.label(hit);
    this.#program.answer(actions[action]);
    this.#program.label(end);
  }
}

/** Where an argument stands in `struct seccomp_data`; the low half comes first on both architectures. */
function argumentOffset(argument: number): number {
  return 16 + 8 * argument;
}
