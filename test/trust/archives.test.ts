import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { PackEntry } from "../../src/trust/pack-entry.ts";
import { tarGzip } from "../../src/trust/tar-writer.ts";
import { zipBytes } from "../../src/trust/zip-writer.ts";
import { runProgram, tempFolder } from "./support.ts";

const long = `${"deep/".repeat(24)}file.txt`;
const contents: Readonly<Record<string, string>> = {
  "bin/run": "#!/bin/sh\necho hi\n".repeat(50),
  "empty.txt": "",
  "ünïcode-日本.txt": "x",
  [long]: "long",
};
const entry = (path: string, more: Partial<PackEntry> = {}): PackEntry => ({
  path,
  kind: "file",
  executable: false,
  size: new TextEncoder().encode(contents[path] ?? "").length,
  target: "",
  ...more,
});
const entries: readonly PackEntry[] = [
  entry("bin", { kind: "folder", size: 0 }),
  entry("bin/run", { executable: true }),
  entry(long),
  entry("empty.txt"),
  entry("link", { kind: "link", size: 0, target: "bin/run" }),
  entry("ünïcode-日本.txt"),
];

async function* read({ path }: PackEntry): AsyncGenerator<Uint8Array, void> {
  yield new TextEncoder().encode(contents[path] ?? "");
}

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

const listTar = `
import sys, tarfile, json
with tarfile.open(sys.argv[1]) as t:
    print(json.dumps([[m.name, m.type.decode(), oct(m.mode), m.size, m.mtime, m.uid, m.gid, m.uname, m.linkname,
        t.extractfile(m).read().decode() if m.isfile() else None] for m in t.getmembers()]))
`;
const listZip = `
import sys, zipfile, json
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    print(json.dumps([[i.filename, oct(i.external_attr >> 16), i.file_size, list(i.date_time), z.read(i).decode()]
        for i in z.infolist()]))
`;

describe("archives that gum writes", () => {
  test("a tar is read by another program, with fixed modes, times and owners", async () => {
    await using folder = tempFolder();
    const file = join(folder.path, "x.tgz");
    writeFileSync(file, await bytesOf(tarGzip(entries, read)));
    const { code, out, err } = runProgram(["python3", "-c", listTar, file], folder.path);
    expect([code, err]).toEqual([0, ""]);
    const when = 315532800;
    expect(JSON.parse(out)).toEqual([
      ["bin", "5", "0o755", 0, when, 0, 0, "", "", null],
      ["bin/run", "0", "0o755", 900, when, 0, 0, "", "", contents["bin/run"]],
      [long, "0", "0o644", 4, when, 0, 0, "", "", "long"],
      ["empty.txt", "0", "0o644", 0, when, 0, 0, "", "", ""],
      ["link", "2", "0o777", 0, when, 0, 0, "", "bin/run", null],
      ["ünïcode-日本.txt", "0", "0o644", 1, when, 0, 0, "", "", "x"],
    ]);
  });

  test("a zip is read by another program, with fixed modes and times", async () => {
    await using folder = tempFolder();
    const file = join(folder.path, "x.zip");
    writeFileSync(file, await bytesOf(zipBytes(entries, read)));
    const { code, out, err } = runProgram(["python3", "-c", listZip, file], folder.path);
    expect([code, err]).toEqual([0, ""]);
    const when = [1980, 1, 1, 0, 0, 0];
    expect(JSON.parse(out)).toEqual([
      ["bin/", "0o40755", 0, when, ""],
      ["bin/run", "0o100755", 900, when, contents["bin/run"]],
      [long, "0o100644", 4, when, "long"],
      ["empty.txt", "0o100644", 0, when, ""],
      ["link", "0o120777", 7, when, "bin/run"],
      ["ünïcode-日本.txt", "0o100644", 1, when, "x"],
    ]);
  });

  test("the same entries give the same bytes, and the gzip header names no time and no system", async () => {
    const tgz = await bytesOf(tarGzip(entries, read));
    expect((await bytesOf(tarGzip(entries, read))).equals(tgz)).toBe(true);
    expect([...tgz.subarray(0, 10)]).toEqual([31, 139, 8, 0, 0, 0, 0, 0, 2, 255]);
    expect(gunzipSync(tgz).length % 512).toBe(0);
    const zip = await bytesOf(zipBytes(entries, read));
    expect((await bytesOf(zipBytes(entries, read))).equals(zip)).toBe(true);
  });

  test("a failure while reading ends the archive with that failure", async () => {
    async function* broken(): AsyncGenerator<Uint8Array, void> {
      yield new Uint8Array(1);
      throw new RangeError("the disk burns");
    }
    await expect(bytesOf(tarGzip(entries, broken))).rejects.toThrow("the disk burns");
    await expect(bytesOf(zipBytes(entries, broken))).rejects.toThrow("the disk burns");
  });

  test("what does not fit a zip is refused before it is read", async () => {
    const huge = [entry("huge", { size: 2 ** 30 })];
    await expect(bytesOf(zipBytes(huge, read))).rejects.toThrow(
      "The plugin holds a file of more than 512 MiB, which a .zip of gum cannot.",
    );
    const many = Array.from({ length: 65_536 }, (_, index) => entry(`f${index}`));
    await expect(bytesOf(zipBytes(many, read))).rejects.toThrow("more than 65535 entries");
  });
});
