// The digest of a dist folder as Open Discovery writes it into mcp-plugin.json (M32). Two public forms exist:
// each file is its path, one separator (NUL in version 2, LF in 3.0) and its bytes, in the order of the paths.
// Version 3.0 sorts by locale, so that order is tried too where it differs from the plain one.
import { createHash } from "node:crypto";

/** A regular file below dist/, by its path from there with `/` as separator. */
export interface DistFile {
  readonly path: string;
  readonly size: number;
  read(): AsyncIterable<Uint8Array>;
}

export interface DistDigest {
  readonly separator: "nul" | "lf";
  /** Lower-case hex by algorithm; `sha256` is always there. */
  readonly digests: Readonly<Record<string, string>>;
}

export interface DistSums {
  /** One per public form. */
  readonly forms: readonly DistDigest[];
  /** SHA-256 of each file by its path. */
  readonly files: ReadonlyMap<string, string>;
}

interface Hasher {
  update(data: Uint8Array | string): unknown;
  digest(encoding: "hex"): string;
}

const separators = { nul: "\0", lf: "\n" } as const;

/** Digests in both forms over files in the order given, reading each file once. */
export async function sumDist(files: readonly DistFile[], algorithms: readonly string[]): Promise<DistSums> {
  const names = [...new Set(["sha256", ...algorithms])];
  const nul = await hashers(names);
  const lf = await hashers(names);
  const sums = new Map<string, string>();
  for (const file of files) {
    for (const hasher of nul.values()) hasher.update(`${file.path}${separators.nul}`);
    for (const hasher of lf.values()) hasher.update(`${file.path}${separators.lf}`);
    const own = createHash("sha256");
    for await (const chunk of file.read()) {
      own.update(chunk);
      for (const hasher of nul.values()) hasher.update(chunk);
      for (const hasher of lf.values()) hasher.update(chunk);
    }
    sums.set(file.path, own.digest("hex"));
  }
  return { forms: [finish("nul", nul), finish("lf", lf)], files: sums };
}

/** The orders in which the files may have been hashed; one where both public orders agree. */
export function publicOrders(files: readonly DistFile[]): DistFile[][] {
  const plain = [...files].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const byLocale = [...files].sort((a, b) => a.path.localeCompare(b.path, "en"));
  const same = plain.every((file, index) => file === byLocale[index]);
  return same ? [plain] : [plain, byLocale];
}

function finish(separator: "nul" | "lf", running: ReadonlyMap<string, Hasher>): DistDigest {
  const digests = Object.fromEntries([...running].map(([name, hasher]) => [name, hasher.digest("hex")]));
  return { separator, digests };
}

async function hashers(names: readonly string[]): Promise<Map<string, Hasher>> {
  const made = new Map<string, Hasher>();
  for (const name of names) made.set(name, await hasher(name));
  return made;
}

async function hasher(name: string): Promise<Hasher> {
  if (name === "sha256" || name === "sha384" || name === "sha512") return createHash(name);
  // Only the rare further digests need it.
  const { createBLAKE2b, createBLAKE3, createSHA3 } = await import("hash-wasm");
  switch (name) {
    case "blake3":
      return (await createBLAKE3()).init();
    case "blake2b":
      return (await createBLAKE2b()).init();
    case "sha3-256":
      return (await createSHA3(256)).init();
    case "sha3-512":
      return (await createSHA3(512)).init();
    default:
      throw new TypeError(`Cannot hash: no algorithm ${name}`);
  }
}
