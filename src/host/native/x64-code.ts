// The few x86-64 instructions that the loop is made of, under names that say what they do there.
// Registers: rbx is the row, rax the syscall's number and result, rcx what was expected.

export class X64Code {
  readonly #bytes: number[] = [];
  readonly #labels = new Map<string, number>();
  readonly #jumps: { readonly end: number; readonly to: string }[] = [];

  label(name: string): void {
    this.#labels.set(name, this.#bytes.length);
  }

  syscall(): void {
    this.#emit(0x0f, 0x05);
  }

  /** mov eax, imm32 */
  setNumber(value: number): void {
    this.#load(0xb8, value);
  }

  /** mov edi, imm32 */
  setFirstArgument(value: number): void {
    this.#load(0xbf, value);
  }

  /** mov rsi, rsp */
  setSecondArgumentToStack(): void {
    this.#emit(0x48, 0x89, 0xe6);
  }

  /** mov edx, imm32 */
  setThirdArgument(value: number): void {
    this.#load(0xba, value);
  }

  /** mov ebx, imm32 */
  setRow(address: number): void {
    this.#load(0xbb, address);
  }

  /** add rbx, imm8 */
  advanceRow(bytes: number): void {
    this.#emit(0x48, 0x83, 0xc3, bytes);
  }

  /** mov rbx, r9: the sixth argument, which a syscall leaves alone */
  setRowToSixthArgument(): void {
    this.#emit(0x4c, 0x89, 0xcb);
  }

  /** At the very start: [rsp] is argc; the environment begins behind argv and its null. Stored at [rbx]. */
  storeEnvironment(): void {
    this.#emit(0x48, 0x8b, 0x04, 0x24); // mov rax, [rsp]
    this.#emit(0x48, 0x8d, 0x44, 0xc4, 0x10); // lea rax, [rsp + rax*8 + 16]
    this.#emit(0x48, 0x89, 0x03); // mov [rbx], rax
  }

  loadNumberAndArguments(): void {
    this.#emit(0x48, 0x8b, 0x03); // mov rax, [rbx]
    this.#emit(0x48, 0x8b, 0x7b, 0x08); // mov rdi, [rbx+8]
    this.#emit(0x48, 0x8b, 0x73, 0x10); // mov rsi, [rbx+16]
    this.#emit(0x48, 0x8b, 0x53, 0x18); // mov rdx, [rbx+24]
    this.#emit(0x4c, 0x8b, 0x53, 0x20); // mov r10, [rbx+32]
    this.#emit(0x4c, 0x8b, 0x43, 0x28); // mov r8, [rbx+40]
    this.#emit(0x4c, 0x8b, 0x4b, 0x30); // mov r9, [rbx+48]
  }

  /** mov rcx, [rbx+56] */
  loadExpected(): void {
    this.#emit(0x48, 0x8b, 0x4b, 0x38);
  }

  /** push rax; push rbx: on the stack they read { row address, result } */
  pushRecord(): void {
    this.#emit(0x50, 0x53);
  }

  /** pop rbx; pop rax */
  popRecord(): void {
    this.#emit(0x5b, 0x58);
  }

  /** cmp rax, rcx; je */
  whenAsExpected(to: string): void {
    this.#emit(0x48, 0x39, 0xc8);
    this.#jump([0x0f, 0x84], to);
  }

  /** cmp rcx, imm32 (sign-extended); je */
  whenExpecting(sentinel: number, to: string): void {
    this.#compareExpected(sentinel);
    this.#jump([0x0f, 0x84], to);
  }

  /** cmp rcx, imm32 (sign-extended); jne */
  whenNotExpecting(sentinel: number, to: string): void {
    this.#compareExpected(sentinel);
    this.#jump([0x0f, 0x85], to);
  }

  /** test rax, rax; js */
  whenNegative(to: string): void {
    this.#emit(0x48, 0x85, 0xc0);
    this.#jump([0x0f, 0x88], to);
  }

  /** test rax, rax; jne */
  whenNotZero(to: string): void {
    this.#emit(0x48, 0x85, 0xc0);
    this.#jump([0x0f, 0x85], to);
  }

  /** jmp */
  goto(to: string): void {
    this.#jump([0xe9], to);
  }

  /** The finished code. */
  bytes(): Uint8Array {
    const bytes = Uint8Array.from(this.#bytes);
    const view = new DataView(bytes.buffer);
    for (const { end, to } of this.#jumps) {
      const target = this.#labels.get(to);
      if (target === undefined) throw new RangeError(`Cannot link: no place is called ${to}`);
      view.setInt32(end - 4, target - end, true);
    }
    return bytes;
  }

  #compareExpected(sentinel: number): void {
    this.#emit(0x48, 0x81, 0xf9);
    this.#imm32(sentinel);
  }

  #load(opcode: number, value: number): void {
    this.#emit(opcode);
    this.#imm32(value);
  }

  #jump(opcode: readonly number[], to: string): void {
    this.#emit(...opcode);
    this.#imm32(0);
    this.#jumps.push({ end: this.#bytes.length, to });
  }

  #imm32(value: number): void {
    this.#emit(value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24);
  }

  #emit(...bytes: readonly number[]): void {
    this.#bytes.push(...bytes);
  }
}
