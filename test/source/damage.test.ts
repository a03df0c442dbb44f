// Whatever is done to the bytes of an archive, it is unpacked or refused: no other failure, nothing outside.
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { GumError } from "../../src/base/errors.ts";
import { unpackLimits } from "../../src/source/limits.ts";
import { unpackArchive } from "../../src/source/unpack.ts";
import { tempFolder, testHost } from "../registry/support.ts";
import { pax, tgz, zip } from "./archives.ts";

const data = "content ".repeat(40);
const samples = [
  zip([
    { name: "bin/", mode: 0o040755 },
    { name: "bin/run", data, mode: 0o100755 },
    { name: "stream", data, descriptor: "signed" },
    { name: "link", data: "bin/run", mode: 0o120777, stored: true },
  ]),
  tgz([
    { name: "bin/", type: "5" },
    { name: "bin/run", data, mode: 0o755 },
    pax({ path: "long/".repeat(30), mtime: "1" }),
    { name: "x", type: "5" },
    { name: "link", type: "2", link: "bin/run" },
  ]),
];
const limits = { ...unpackLimits, bytes: 10_000_000, entries: 100 };

/** Bytes written over, one range cut out, or the end cut off. */
const damage = fc.record({
  sample: fc.integer({ min: 0, max: samples.length - 1 }),
  at: fc.double({ min: 0, max: 0.999, noNaN: true }),
  bytes: fc.uint8Array({ maxLength: 6 }),
  how: fc.constantFrom("overwrite", "insert", "cut", "truncate"),
});

function damaged({
  sample,
  at,
  bytes,
  how,
}: {
  sample: number;
  at: number;
  bytes: Uint8Array;
  how: string;
}): Uint8Array {
  const archive = samples[sample] ?? new Uint8Array();
  const start = Math.floor(at * archive.length);
  const [before, after] = [archive.subarray(0, start), archive.subarray(start)];
  if (how === "truncate") return before;
  if (how === "cut") return Buffer.concat([before, after.subarray(bytes.length)]);
  return Buffer.concat([before, bytes, how === "insert" ? after : after.subarray(bytes.length)]);
}

test("T26 a damaged archive is refused with its own code or unpacks inside its folder", async () => {
  using folder = tempFolder();
  const host = testHost();
  let [run, refusals] = [0, 0];
  const { signal } = new AbortController();
  await fc.assert(
    fc.asyncProperty(damage, async (how) => {
      const own = join(folder.path, String(run++));
      mkdirSync(own);
      const archive = join(own, "archive");
      writeFileSync(archive, damaged(how));
      try {
        await unpackArchive(host, { archive, target: join(own, "target"), signal, limits });
      } catch (error) {
        if (!(error instanceof GumError)) throw error;
        expect(["PLUGIN_ARCHIVE_UNSAFE", "PLUGIN_FETCH_FAILED"]).toContain(error.code);
        refusals++;
      }
      expect(readdirSync(own).filter((name) => !["archive", "target"].includes(name))).toEqual([]);
    }),
    { numRuns: 600 },
  );
  expect(readdirSync(folder.path).length).toBe(run);
  expect(refusals).toBeGreaterThan(300);
}, 30_000);
