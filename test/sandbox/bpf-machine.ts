// Runs a seccomp filter as the kernel would, so that its decisions can be tabled without making the syscalls.

export interface SeccompData {
  readonly nr: number;
  readonly arch: number;
  readonly args?: readonly (number | bigint)[];
}

/** What the filter answers, in words. */
export function decide(filter: Uint8Array, input: SeccompData): string {
  const action = run(filter, layOut(input));
  const value = action & 0xffff;
  switch ((action & 0xffff0000) >>> 0) {
    case 0x7fff0000:
      return "allow";
    case 0x80000000:
      return "kill";
    case 0x00050000:
      return value === 0 ? "success without effect" : `errno ${value}`;
    default:
      throw new Error(`unknown action ${action.toString(16)}`);
  }
}

function layOut({ nr, arch, args = [] }: SeccompData): DataView {
  const view = new DataView(new ArrayBuffer(64));
  view.setUint32(0, nr, true);
  view.setUint32(4, arch, true);
  args.forEach((arg, index) => {
    view.setBigUint64(16 + index * 8, BigInt.asUintN(64, BigInt(arg)), true);
  });
  return view;
}

function run(filter: Uint8Array, data: DataView): number {
  const code = new DataView(filter.buffer, filter.byteOffset, filter.byteLength);
  let accumulator = 0;
  for (let at = 0; ; at++) {
    if (at * 8 >= filter.length) throw new Error("the filter runs past its end");
    const operand = code.getUint32(at * 8 + 4, true);
    const jump = (taken: boolean) => {
      at += code.getUint8(at * 8 + (taken ? 2 : 3));
    };
    switch (code.getUint16(at * 8, true)) {
      case 0x20:
        accumulator = data.getUint32(operand, true);
        break;
      case 0x54:
        accumulator = (accumulator & operand) >>> 0;
        break;
      case 0x06:
        return operand;
      case 0x15:
        jump(accumulator === operand);
        break;
      case 0x35:
        jump(accumulator >= operand);
        break;
      case 0x45:
        jump((accumulator & operand) !== 0);
        break;
      default:
        throw new Error("unknown instruction");
    }
  }
}
