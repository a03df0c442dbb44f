// A machine for the few aarch64 instructions of the loop, decoded from the architecture manual and not from the
// source under test: no processor of that kind is at hand where the tests run.

export interface Syscall {
  readonly number: bigint;
  readonly args: readonly bigint[];
}

/** Thrown by a fake kernel to stop the machine. */
export class Stopped extends Error {}

export class Arm64Machine {
  readonly registers: bigint[] = Array.from({ length: 32 }, () => 0n);
  #stack: bigint;
  #pc: bigint;
  #zero = false;
  readonly #memory = new Map<bigint, number>();
  readonly #kernel: (call: Syscall, machine: Arm64Machine) => bigint;

  constructor(entry: bigint, stack: bigint, kernel: (call: Syscall, machine: Arm64Machine) => bigint) {
    this.#pc = entry;
    this.#stack = stack;
    this.#kernel = kernel;
  }

  store(address: bigint, bytes: Iterable<number>): void {
    let at = address;
    for (const byte of bytes) this.#memory.set(at++, byte);
  }

  read64(address: bigint): bigint {
    return this.#read(address, 8n);
  }

  #read(address: bigint, size: bigint): bigint {
    let value = 0n;
    for (let index = size - 1n; index >= 0n; index--) {
      const byte = this.#memory.get(address + index);
      if (byte === undefined) throw new Error(`reads unmapped memory at ${address.toString(16)}`);
      value = (value << 8n) | BigInt(byte);
    }
    return value;
  }

  write64(address: bigint, value: bigint): void {
    for (let index = 0n; index < 8n; index++) {
      this.#memory.set(address + index, Number((value >> (index * 8n)) & 255n));
    }
  }

  run(mostSteps: number): void {
    for (let step = 0; step < mostSteps; step++) this.#step();
    throw new Error("runs too long");
  }

  #step(): void {
    const word = Number(this.#read(this.#pc, 4n));
    const next = this.#pc + 4n;
    this.#pc = this.#execute(word >>> 0) ?? next;
  }

  /** Answers with the address to go on at, when it is not the next. */
  #execute(word: number): bigint | undefined {
    const rd = word & 31;
    const rn = (word >>> 5) & 31;
    const rt2 = (word >>> 10) & 31;
    const imm12 = BigInt((word >>> 10) & 0xfff);
    const imm16 = BigInt((word >>> 5) & 0xffff);
    if (word === 0xd4000001) return this.#call();
    if ((word & 0xffe00000) >>> 0 === 0xd2800000) return this.#set(rd, imm16);
    if ((word & 0xffe00000) >>> 0 === 0xf2a00000) {
      return this.#set(rd, (this.#get(rd) & ~0xffff0000n) | (imm16 << 16n));
    }
    if ((word & 0xffc00000) >>> 0 === 0xf9400000)
      return this.#set(rd, this.read64(this.#base(rn) + imm12 * 8n));
    if ((word & 0xffc00000) >>> 0 === 0xf9000000) {
      this.write64(this.#base(rn) + imm12 * 8n, this.#get(rd));
      return undefined;
    }
    if ((word & 0xffc00000) >>> 0 === 0x91000000) return this.#set(rd, this.#base(rn) + imm12);
    if ((word & 0xffe0fc00) >>> 0 === 0x8b206c00) {
      // add with an extended register: uxtx, shifted left by three
      return this.#set(rd, this.#base(rn) + (this.#get((word >>> 16) & 31) << 3n));
    }
    if ((word & 0xffe0fc1f) >>> 0 === 0xeb00001f)
      return this.#compare(this.#get(rn), this.#get((word >>> 16) & 31));
    if ((word & 0xffc0001f) >>> 0 === 0xb140001f) return this.#compare(this.#get(rn), -(imm12 << 12n));
    if ((word & 0xffc00000) >>> 0 === 0xa9800000) return this.#push(rd, rt2, word);
    if ((word & 0xffc00000) >>> 0 === 0xa8c00000) return this.#pop(rd, rt2, word);
    return this.#branch(word);
  }

  #branch(word: number): bigint | undefined {
    const far = BigInt.asIntN(19, BigInt((word >>> 5) & 0x7ffff)) * 4n;
    const near = BigInt.asIntN(14, BigInt((word >>> 5) & 0x3fff)) * 4n;
    if ((word & 0xff000010) >>> 0 === 0x54000000) {
      const condition = word & 15;
      const taken = condition === 14 || (condition === 0 && this.#zero) || (condition === 1 && !this.#zero);
      if (![0, 1, 14].includes(condition)) throw new Error(`unknown condition ${condition}`);
      return taken ? this.#pc + far : undefined;
    }
    if ((word & 0xff000000) >>> 0 === 0xb5000000)
      return this.#get(word & 31) !== 0n ? this.#pc + far : undefined;
    if ((word & 0xfff80000) >>> 0 === 0xb7f80000) {
      return this.#get(word & 31) >> 63n === 1n ? this.#pc + near : undefined;
    }
    throw new Error(`unknown instruction ${word.toString(16)}`);
  }

  #call(): undefined {
    const args = this.registers.slice(0, 6);
    this.registers[0] = BigInt.asUintN(64, this.#kernel({ number: this.#get(8), args }, this));
    return undefined;
  }

  #push(first: number, second: number, word: number): undefined {
    this.#stack += BigInt.asIntN(7, BigInt((word >>> 15) & 0x7f)) * 8n;
    this.write64(this.#stack, this.#get(first));
    this.write64(this.#stack + 8n, this.#get(second));
    return undefined;
  }

  #pop(first: number, second: number, word: number): undefined {
    this.#set(first, this.read64(this.#stack));
    this.#set(second, this.read64(this.#stack + 8n));
    this.#stack += BigInt.asIntN(7, BigInt((word >>> 15) & 0x7f)) * 8n;
    return undefined;
  }

  #compare(left: bigint, right: bigint): undefined {
    this.#zero = BigInt.asUintN(64, left) === BigInt.asUintN(64, right);
    return undefined;
  }

  #base(register: number): bigint {
    return register === 31 ? this.#stack : this.#get(register);
  }

  #get(register: number): bigint {
    return register === 31 ? 0n : (this.registers[register] ?? 0n);
  }

  #set(register: number, value: bigint): undefined {
    this.registers[register] = BigInt.asUintN(64, value);
    return undefined;
  }
}
