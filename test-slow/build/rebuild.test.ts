import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { copyTree } from "../mutants/mutant.ts";

test("two builds of the same source are equal, byte for byte", () => {
  const tree = copyTree();
  try {
    const first = buildIn(tree.path);
    rmSync(join(tree.path, "dist"), { recursive: true });
    expect(buildIn(tree.path)).toBe(first);
  } finally {
    tree.remove();
  }
});

/** Compiles dist/gum in a copy of the tree; its digest. */
function buildIn(path: string): string {
  const { status, stderr } = spawnSync("make", ["build"], { cwd: path, encoding: "utf8", timeout: 120_000 });
  if (status !== 0) throw new Error(`make build ended with ${status}:\n${stderr}`);
  return createHash("sha256")
    .update(readFileSync(join(path, "dist/gum")))
    .digest("hex");
}
