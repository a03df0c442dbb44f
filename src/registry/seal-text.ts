// A seal is a text file beside an install root: what the file system said about each file when its content was
// last known to be right.
//
//   gum-seal 1 <sealed at, ns> <tree sha256>
//   <kind> <mode> <size> <mtime ns> <ctime ns> <inode> <sha256> <path>
import type { FileFacts } from "../host/host.ts";
import { digestLine, digestOfLines, type HashedTree, sortedByPath } from "./tree.ts";

/** One entry as the seal knows it. */
export interface SealLine {
  /** Kind, mode, size, times and inode as written. */
  readonly looks: string;
  /** Kind, mode and size alone. */
  readonly lasting: string;
  readonly sha256: string;
}
/** A seal that was read and adds up to the digest in the lock. */
export interface Seal {
  readonly sealedAtNs: bigint;
  readonly lines: ReadonlyMap<string, SealLine>;
  /** The paths in each folder; the root is "". */
  readonly children: ReadonlyMap<string, readonly string[]>;
}

/** The text of a tree's seal. */
export function sealText(tree: Pick<HashedTree, "entries" | "sha256">, nowMs: number): string {
  const head = `gum-seal 1 ${BigInt(nowMs) * 1_000_000n} ${tree.sha256}\n`;
  const lines = sortedByPath(tree.entries).map(
    (entry) => `${looksOf(entry)} ${entry.sha256 || "-"} ${escaped(entry.path)}\n`,
  );
  return head + lines.join("");
}

/** The seal, or undefined when it is damaged or not that of the tree that was installed. */
export function parseSeal(text: string, treeSha256: string): Seal | undefined {
  const rows = text.split("\n");
  const head = /^gum-seal 1 (\d+) [0-9a-f]{64}$/.exec(rows[0] ?? "");
  if (head?.[1] === undefined || rows.at(-1) !== "") return undefined;
  const lines = new Map<string, SealLine>();
  const children = new Map<string, string[]>();
  const digested: string[] = [];
  for (let at = 1; at < rows.length - 1; at++) {
    const row = rows[at] ?? "";
    const looksEnd = endOfWords(row, wordsOfLooks);
    const digestEnd = row.indexOf(" ", looksEnd + 1);
    if (looksEnd < 0 || digestEnd < 0) return undefined;
    const looks = row.slice(0, looksEnd);
    const said = row.slice(looksEnd + 1, digestEnd);
    const line = { looks, lasting: lastingOf(looks), sha256: said === "-" ? "" : said };
    const path = unescaped(row.slice(digestEnd + 1));
    lines.set(path, line);
    childrenOf(children, path).push(path);
    digested.push(digestLine(path, line.lasting, line.sha256));
  }
  return digestOfLines(digested) === treeSha256
    ? { sealedAtNs: BigInt(head[1]), lines, children }
    : undefined;
}

/** Kind, mode, size, mtime, ctime and inode. */
const wordsOfLooks = 6;
const lastingWords = 3;

/** Where the first words of a row end; -1 when it has fewer. */
function endOfWords(row: string, count: number): number {
  let end = -1;
  for (let word = 0; word < count; word++) {
    end = row.indexOf(" ", end + 1);
    if (end < 0) return -1;
  }
  return end;
}

/** Of what an entry looks like, the words that stay whoever touches it: kind, mode and size. */
export function lastingOf(looks: string): string {
  return looks.slice(0, endOfWords(looks, lastingWords));
}

/** What must stay as it is for a file, or for the list of a folder's names, to count as untouched. */
export function looksOf(
  seen: Pick<FileFacts, "kind" | "mode" | "size" | "mtimeNs" | "ctimeNs" | "ino">,
): string {
  const { kind, mtimeNs, ctimeNs, ino } = seen;
  const mode = kind === "link" ? "777" : seen.mode.toString(8);
  return `${kind} ${mode} ${kind === "folder" ? 0 : seen.size} ${mtimeNs} ${ctimeNs} ${ino}`;
}

function childrenOf(children: Map<string, string[]>, path: string): string[] {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const known = children.get(folder) ?? [];
  if (known.length === 0) children.set(folder, known);
  return known;
}

function escaped(path: string): string {
  return path.replace(/[\\\n]/g, (character) => (character === "\n" ? "\\n" : "\\\\"));
}

function unescaped(path: string): string {
  return path.includes("\\")
    ? path.replace(/\\(.)/g, (_, character) => (character === "n" ? "\n" : "\\"))
    : path;
}
