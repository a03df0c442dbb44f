// The smallest program that runs rows: a static ELF file that gum writes itself, so that confining a plugin needs
// no compiler, no second binary and no foreign function interface.
//
//   file    [ELF header][3 program headers][loop] [rows][data]
//   memory  loop: read and execute               rows and data: read and write
import { buildLoop, rowBytes } from "./loop.ts";
import { type Arch, syscallNumber } from "./numbers.ts";
import { type Arg, type Data, jumpArgument, type Row, sentinels } from "./row.ts";

/** A program and how to read the addresses that it reports. */
export interface Image {
  readonly bytes: Uint8Array;
  readonly rows: readonly Row[];
  /** Address of the first row. */
  readonly table: number;
}

const halvesPerRow = rowBytes / 4;
const headerBytes = 64;
const programHeaderBytes = 56;
const programHeaders = 3;
const codeAt = headerBytes + programHeaders * programHeaderBytes;
/** More than the loop takes on either architecture. */
const codeRoom = 512;
const codeBase = 0x10000000;
const dataBase = 0x20000000;
/** The largest page size in use on either architecture. */
const pageBytes = 0x10000;
const machineOf: Readonly<Record<Arch, number>> = { x64: 62, arm64: 183 };

/** Lays out the rows, what they point at and the loop as one executable file. */
export function buildImage(rows: readonly Row[], arch: Arch): Image {
  const tableAt = codeAt + codeRoom;
  const layout = layOut(rows, tableAt + rows.length * rowBytes);
  const bytes = new Uint8Array(layout.end);
  const view = new DataView(bytes.buffer);
  const table = dataBase + tableAt;
  const environmentCell = writeRows({ rows, arch, bytes, tableAt, layout });
  const code = buildLoop(arch, { table, environmentCell });
  if (code.length > codeRoom) throw new RangeError("Cannot lay out rows: the loop is too long");
  writeHeaders(view, { arch, codeEnd: codeAt + code.length, tableAt });
  bytes.set(code, codeAt);
  for (const [item, at] of layout.places) {
    bytes.set(item.bytes, at);
    for (const pointer of item.pointers) {
      view.setUint32(at + pointer.at, addressOf(pointer.to, layout), true);
    }
  }
  return { bytes, rows, table };
}

interface Layout {
  readonly places: ReadonlyMap<Data, number>;
  /** Where the loop leaves the environment's address when no row wants it. */
  readonly spare: number;
  readonly end: number;
}

function layOut(rows: readonly Row[], start: number): Layout {
  const places = new Map<Data, number>();
  let end = align(start);
  const place = (item: Data) => {
    if (places.has(item)) return;
    places.set(item, end);
    end = align(end + item.bytes.length);
    for (const pointer of item.pointers) place(pointer.to);
  };
  for (const row of rows) {
    for (const arg of row.args) if (isData(arg)) place(arg);
  }
  return { places, spare: end, end: end + 16 };
}

interface RowTable {
  readonly rows: readonly Row[];
  readonly arch: Arch;
  readonly bytes: Uint8Array;
  readonly tableAt: number;
  readonly layout: Layout;
}

/** Writes the table; answers with the address of the cell that wants the environment. */
function writeRows({ rows, arch, bytes, tableAt, layout }: RowTable): number {
  const table = dataBase + tableAt;
  const labels = labelAddresses(rows, table);
  const cells = new Int32Array(bytes.buffer, tableAt, rows.length * halvesPerRow);
  let environmentCell = dataBase + layout.spare;
  let cell = 0;
  for (const row of rows) {
    const number = syscallNumber(row.call, arch);
    if (number === undefined) throw new RangeError(`Cannot lay out rows: ${arch} has no ${row.call}`);
    checkJump(row);
    cells[cell] = number;
    let at = cell + 2;
    for (const arg of row.args) {
      if (arg === "environment") environmentCell = table + at * 4;
      else setWord(cells, at, typeof arg === "number" ? arg : argumentValue(arg, labels, layout));
      at += 2;
    }
    setWord(cells, cell + 14, typeof row.expect === "number" ? row.expect : sentinels[row.expect]);
    cell += halvesPerRow;
  }
  return environmentCell;
}

function labelAddresses(rows: readonly Row[], table: number): Map<string, number> {
  const labels = new Map<string, number>();
  let address = table;
  for (const { label } of rows) {
    if (label !== undefined) {
      if (labels.has(label)) throw new RangeError(`Cannot lay out rows: two are called ${label}`);
      labels.set(label, address);
    }
    address += rowBytes;
  }
  return labels;
}

function checkJump(row: Row): void {
  if (row.args.length > 6) throw new RangeError(`Cannot lay out rows: ${row.name} has too many arguments`);
  if (row.expect !== "fork" && row.expect !== "or-else") return;
  const target = row.args[jumpArgument];
  if (typeof target === "object" && "row" in target) return;
  throw new RangeError(`Cannot lay out rows: ${row.name} does not say where it leads`);
}

function argumentValue(
  arg: Exclude<Arg, "environment">,
  labels: ReadonlyMap<string, number>,
  layout: Layout,
): number | bigint {
  if (typeof arg !== "object") return arg;
  if (isData(arg)) return addressOf(arg, layout);
  const address = labels.get(arg.row);
  if (address === undefined) throw new RangeError(`Cannot lay out rows: none is called ${arg.row}`);
  return address;
}

/** A 64-bit word as two halves; numbers, which most are, take the way without big integers. */
function setWord(cells: Int32Array, at: number, value: number | bigint): void {
  if (typeof value === "number") {
    cells[at] = value;
    if (value < 0 || value > 0xffffffff) cells[at + 1] = Math.floor(value / 2 ** 32);
    return;
  }
  cells[at] = Number(BigInt.asIntN(32, value));
  cells[at + 1] = Number(BigInt.asIntN(32, value >> 32n));
}

function addressOf(item: Data, layout: Layout): number {
  const at = layout.places.get(item);
  if (at === undefined) throw new RangeError("Cannot lay out rows: data has no place");
  return dataBase + at;
}

function isData(arg: Arg): arg is Data {
  return typeof arg === "object" && "bytes" in arg;
}

function writeHeaders(
  view: DataView,
  { arch, codeEnd, tableAt }: { arch: Arch; codeEnd: number; tableAt: number },
): void {
  [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1].forEach((byte, at) => {
    view.setUint8(at, byte); // "\x7fELF", 64 bit, little-endian, version 1
  });
  view.setUint16(16, 2, true); // an executable
  view.setUint16(18, machineOf[arch], true);
  view.setUint32(20, 1, true); // version
  view.setBigUint64(24, BigInt(codeBase + codeAt), true); // entry
  view.setBigUint64(32, BigInt(headerBytes), true); // where the program headers are
  view.setUint16(52, headerBytes, true);
  view.setUint16(54, programHeaderBytes, true);
  view.setUint16(56, programHeaders, true);
  view.setUint16(58, 64, true); // size of a section header; there is none
  const readExecute = 5;
  const readWrite = 6;
  segment(view, 0, { type: 1, flags: readExecute, at: 0, base: codeBase, size: codeEnd });
  const dataSize = view.byteLength - tableAt;
  segment(view, 1, { type: 1, flags: readWrite, at: tableAt, base: dataBase, size: dataSize });
  const stack = 0x6474e551;
  segment(view, 2, { type: stack, flags: readWrite, at: 0, base: 0, size: 0 });
}

interface Segment {
  readonly type: number;
  readonly flags: number;
  readonly at: number;
  readonly base: number;
  readonly size: number;
}

function segment(view: DataView, index: number, { type, flags, at, base, size }: Segment): void {
  const header = headerBytes + index * programHeaderBytes;
  const address = BigInt(base + at);
  view.setUint32(header, type, true);
  view.setUint32(header + 4, flags, true);
  view.setBigUint64(header + 8, BigInt(at), true);
  view.setBigUint64(header + 16, address, true);
  view.setBigUint64(header + 24, address, true);
  view.setBigUint64(header + 32, BigInt(size), true);
  view.setBigUint64(header + 40, BigInt(size), true);
  view.setBigUint64(header + 48, BigInt(pageBytes), true);
}

function align(offset: number): number {
  return (offset + 15) & ~15;
}
