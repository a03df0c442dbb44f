// What Landlock is told. A ruleset says which kinds of access it decides; a rule then allows some of them below a
// path. Newer kernels decide more kinds; what an older one does not decide is closed by the filter or shown.
import { type Data, data, words } from "../host/native/row.ts";

const fs = {
  execute: 1n << 0n,
  writeFile: 1n << 1n,
  readFile: 1n << 2n,
  readFolder: 1n << 3n,
  removeFolder: 1n << 4n,
  removeFile: 1n << 5n,
  makeFolder: 1n << 7n,
  makeFile: 1n << 8n,
  makeFifo: 1n << 10n,
  makeLink: 1n << 12n,
  refer: 1n << 13n,
  truncate: 1n << 14n,
  deviceIoctl: 1n << 15n,
} as const;

const read = fs.readFile | fs.readFolder;
const change = fs.writeFile | fs.truncate | fs.refer | fs.removeFolder | fs.removeFile;
const make = fs.makeFolder | fs.makeFile | fs.makeFifo | fs.makeLink;

/** What a rule can allow below a path. */
export const accesses = {
  read,
  "read-exec": read | fs.execute,
  write: read | change | make,
  device: fs.readFile | fs.writeFile,
} as const;
export type Access = keyof typeof accesses;

/** The rights that make sense for a single file; others make the kernel refuse the rule. */
const fileRights = fs.execute | fs.writeFile | fs.readFile | fs.truncate | fs.deviceIoctl;

const networkSince = 4;
const scopesSince = 6;

/** Every file right that this version decides. */
export function decidedFileRights(abi: number): bigint {
  if (abi >= 5) return (1n << 16n) - 1n;
  if (abi >= 3) return (1n << 15n) - 1n;
  if (abi === 2) return (1n << 14n) - 1n;
  return (1n << 13n) - 1n;
}

/** `struct landlock_ruleset_attr` in the size that this version knows. */
export function rulesetAttributes(abi: number, network: boolean): Data {
  const files = decidedFileRights(abi);
  const bindAndConnect = network ? 0n : 3n;
  const signalsAndAbstractSockets = 3n;
  if (abi >= scopesSince) return words(files, bindAndConnect, signalsAndAbstractSockets);
  if (abi >= networkSince) return words(files, bindAndConnect);
  return words(files);
}

/** Whether this version refuses TCP connections by itself, besides the filter. */
export function decidesTcp(abi: number): boolean {
  return abi >= networkSince;
}

/** `struct landlock_path_beneath_attr` for the path behind a descriptor. */
export function pathRule(access: Access, kind: "folder" | "file", abi: number, descriptor: number): Data {
  const rights = accesses[access] & decidedFileRights(abi) & (kind === "folder" ? ~0n : fileRights);
  const bytes = new Uint8Array(12);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, rights, true);
  view.setInt32(8, descriptor, true);
  return data(bytes);
}
