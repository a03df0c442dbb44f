// A small assembler for the classic BPF programs that seccomp runs. Instructions are { u16 code, u8 jump if true,
// u8 jump if false, u32 operand }; jumps lead forward only and at most 255 instructions far.

/** A condition on the accumulator. */
export type Test = "equal" | "at-least" | "any-bit";

interface Instruction {
  readonly code: number;
  readonly operand: number;
  readonly whenTrue?: string | undefined;
  readonly whenFalse?: string | undefined;
}

const codes = {
  load: 0x20,
  and: 0x54,
  return: 0x06,
  equal: 0x15,
  "at-least": 0x35,
  "any-bit": 0x45,
} as const;
const longestJump = 255;
/** The kernel's own limit. */
const mostInstructions = 4096;

/** Builds one program; labels are resolved by `bytes`. */
export class BpfProgram {
  readonly #instructions: Instruction[] = [];
  readonly #labels = new Map<string, number>();
  #fresh = 0;

  /** Loads the 32 bits at this offset of `struct seccomp_data`. */
  load(offset: number): void {
    this.#instructions.push({ code: codes.load, operand: offset });
  }

  and(mask: number): void {
    this.#instructions.push({ code: codes.and, operand: mask });
  }

  answer(action: number): void {
    this.#instructions.push({ code: codes.return, operand: action });
  }

  /** Jumps by the outcome; a missing label means the next instruction. */
  when(test: Test, operand: number, whenTrue?: string, whenFalse?: string): void {
    this.#instructions.push({ code: codes[test], operand, whenTrue, whenFalse });
  }

  label(name: string): void {
    if (this.#labels.has(name)) throw new RangeError(`Cannot assemble: two places are called ${name}`);
    this.#labels.set(name, this.#instructions.length);
  }

  /** A label that no other call gives. */
  freshLabel(): string {
    this.#fresh += 1;
    return `L${this.#fresh}`;
  }

  /** The program as the kernel takes it. */
  bytes(): Uint8Array {
    if (this.#instructions.length > mostInstructions) throw new RangeError("Cannot assemble: too long");
    const bytes = new Uint8Array(this.#instructions.length * 8);
    const view = new DataView(bytes.buffer);
    this.#instructions.forEach((instruction, index) => {
      view.setUint16(index * 8, instruction.code, true);
      view.setUint8(index * 8 + 2, this.#distance(index, instruction.whenTrue));
      view.setUint8(index * 8 + 3, this.#distance(index, instruction.whenFalse));
      view.setUint32(index * 8 + 4, instruction.operand >>> 0, true);
    });
    return bytes;
  }

  #distance(from: number, label: string | undefined): number {
    if (label === undefined) return 0;
    const target = this.#labels.get(label);
    if (target === undefined) throw new RangeError(`Cannot assemble: no place is called ${label}`);
    const distance = target - from - 1;
    if (distance < 0 || distance > longestJump)
      throw new RangeError(`Cannot assemble: ${label} is out of reach`);
    return distance;
  }
}
