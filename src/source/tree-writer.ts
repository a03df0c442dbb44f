import { join } from "node:path/posix";
import type { Host } from "../host/host.ts";
import { foldedName, followLink, printablePath } from "../model/entry-names.ts";
import { entryPath, unsafeArchive, unsafeEntry } from "./entry-path.ts";
import { intoStaging } from "./into-staging.ts";
import type { UnpackLimits } from "./limits.ts";

type Kind = "file" | "folder" | "link";

export interface TreeWriterOptions {
  /** A new, empty folder that nobody else can reach. */
  readonly root: string;
  /** How large the archive itself is. */
  readonly archiveBytes: number;
  readonly limits: UnpackLimits;
  readonly signal: AbortSignal;
}

/**
 * Writes the entries of an archive below one folder. Whatever the archive says, nothing is written outside it: names
 * are checked, every file is new, and links are made last, so that no path ever leads through one.
 */
export class TreeWriter {
  readonly #host: Host;
  readonly #options: TreeWriterOptions;
  readonly #kinds = new Map<string, Kind>();
  readonly #folded = new Map<string, string>();
  readonly #links = new Map<string, string>();
  readonly #made = new Set<string>();
  #entries = 0;
  #bytes = 0;

  constructor(host: Host, options: TreeWriterOptions) {
    this.#host = host;
    this.#options = options;
  }

  get entries(): number {
    return this.#entries;
  }

  get bytes(): number {
    return this.#bytes;
  }

  async folder(name: string): Promise<void> {
    const path = this.#admit(name, "folder");
    if (path !== "") await this.#makeFolders(name, path);
  }

  /** Writes a file of exactly `size` bytes; of its mode only whether it may be executed is kept. */
  async file(
    name: string,
    facts: { readonly size: number; readonly executable: boolean },
    blocks: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const path = this.#admit(name, "file");
    this.#refuseTooMuch(name, this.#bytes + facts.size);
    await this.#makeFolders(name, parentOf(path));
    await intoStaging("unpack", async () => {
      const file = await this.#host.files.open(join(this.#options.root, path), "write-new");
      try {
        await this.#fill(name, facts.size, blocks, (block) => file.write(block));
        await file.chmod(facts.executable ? 0o700 : 0o600);
      } finally {
        await file.close();
      }
    });
  }

  async link(name: string, target: string): Promise<void> {
    const path = this.#admit(name, "link");
    if (target === "" || target.includes("\0")) throw unsafeEntry(name, "is a link to nothing");
    if (target.includes("\\") || /^[A-Za-z]:/.test(target) || target.startsWith("/"))
      throw unsafeEntry(name, "is a link that leaves the archive's folder");
    await this.#makeFolders(name, parentOf(path));
    this.#links.set(path, target);
  }

  /** Makes the links, once all of them are known to stay inside. */
  async finish(): Promise<void> {
    for (const path of this.#links.keys()) {
      const verdict = followLink(path, this.#links);
      if (verdict === "outside") throw unsafeEntry(path, "is a link that leaves the archive's folder");
      if (verdict === "loop") throw unsafeEntry(path, "is a link that leads back to itself");
    }
    for (const [path, target] of this.#links)
      await intoStaging("unpack", () => this.#host.files.symlink(target, join(this.#options.root, path)));
  }

  async #fill(
    name: string,
    size: number,
    blocks: AsyncIterable<Uint8Array>,
    write: (block: Uint8Array) => Promise<void>,
  ): Promise<void> {
    let written = 0;
    for await (const block of blocks) {
      this.#options.signal.throwIfAborted();
      written += block.length;
      if (written > size) throw unsafeEntry(name, `holds more than the ${size} bytes that it declares`);
      this.#bytes += block.length;
      await write(block);
    }
    if (written !== size) throw unsafeEntry(name, `holds fewer than the ${size} bytes that it declares`);
  }

  /** The entry's path, once it may be there beside the entries so far. */
  #admit(name: string, kind: Kind): string {
    const { limits } = this.#options;
    if (++this.#entries > limits.entries) throw unsafeArchive(`has more than ${limits.entries} entries`);
    const path = entryPath(name, limits);
    if (path === "") {
      if (kind !== "folder") throw unsafeEntry(name, "has no name");
      return path;
    }
    const there = this.#kinds.get(path);
    if (there !== undefined && !(there === "folder" && kind === "folder"))
      throw unsafeEntry(name, "stands twice in the archive");
    this.#claim(name, path, kind);
    return path;
  }

  #claim(name: string, path: string, kind: Kind): void {
    const folded = foldedName(path);
    const other = this.#folded.get(folded);
    if (other !== undefined && other !== path)
      throw unsafeEntry(name, `differs from "${printablePath(other)}" only by case or Unicode form`);
    this.#folded.set(folded, path);
    this.#kinds.set(path, kind);
  }

  async #makeFolders(name: string, path: string): Promise<void> {
    if (path === "") return;
    const kind = this.#kinds.get(path);
    if (kind === "file" || kind === "link")
      throw unsafeEntry(name, `lies below "${printablePath(path)}", which is no folder`);
    if (kind === "folder" && this.#made.has(path)) return;
    await this.#makeFolders(name, parentOf(path));
    this.#claim(name, path, "folder");
    this.#made.add(path);
    await intoStaging("unpack", () =>
      this.#host.files.mkdir(join(this.#options.root, path), { mode: 0o700 }),
    );
  }

  #refuseTooMuch(name: string, bytes: number): void {
    const { limits, archiveBytes } = this.#options;
    if (bytes > limits.bytes) throw unsafeEntry(name, `makes the content larger than ${limits.bytes} bytes`);
    if (bytes > limits.ratioFrom && bytes > archiveBytes * limits.ratio)
      throw unsafeEntry(name, `makes the content more than ${limits.ratio} times as large as the archive`);
  }
}

function parentOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}
