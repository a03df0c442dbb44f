import { expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realFiles } from "../../src/host/files.ts";

/** Folders in folders, made from the inside out, since no path leads to the innermost one. */
function nest(folder: string, levels: number): string {
  const names = [join(folder, "even"), join(folder, "odd")] as const;
  let [inner, outer] = names;
  mkdirSync(inner);
  writeFileSync(join(inner, "file"), "x");
  for (let level = 1; level < levels; level++) {
    mkdirSync(outer);
    renameSync(inner, join(outer, "d"));
    if (level % 100 === 0) chmodSync(join(outer, "d"), 0o555);
    [inner, outer] = [outer, inner];
  }
  return inner;
}

test("P13 a tree of 3,000 folders in each other is removed, and nothing beside it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gum-deep-"));
  try {
    const beside = join(folder, "beside");
    mkdirSync(beside);
    writeFileSync(join(beside, "kept"), "kept");
    const tree = nest(folder, 3000);
    symlinkSync(beside, join(tree, "link"));
    // The control: its end cannot be named.
    expect(() => lstatSync(join(tree, "d/".repeat(2999)))).toThrow("ENAMETOOLONG");
    await realFiles.removeTree(tree);
    expect(existsSync(tree)).toBe(false);
    expect(existsSync(join(beside, "kept"))).toBe(true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
