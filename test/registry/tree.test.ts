import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  lutimesSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Host } from "../../src/host/host.ts";
import { checkDeep, checkSeal, sealFileOf, writeSeal } from "../../src/registry/seal.ts";
import { parseSeal } from "../../src/registry/seal-text.ts";
import { hashTree, treeDigest } from "../../src/registry/tree.ts";
import { refusal, tempFolder, testHost } from "./support.ts";

const file = (path: string, more = {}) => ({
  path,
  kind: "file" as const,
  mode: 0o444,
  size: 1,
  sha256: "a".repeat(64),
  ...more,
});

function makeTree(folder: { path: string }) {
  const root = join(folder.path, "aaaaaaaaaaaa-bbbbbbbb");
  mkdirSync(join(root, "lib"), { recursive: true });
  writeFileSync(join(root, "run"), "run", { mode: 0o555 });
  writeFileSync(join(root, "lib/a.js"), "a", { mode: 0o444 });
  writeFileSync(join(root, "lib/b.js"), "b", { mode: 0o444 });
  symlinkSync("lib/a.js", join(root, "link"));
  return root;
}

/** A host whose clock is ahead, so that nothing looks as if it had been changed close to the sealing. */
function later(seconds: number): Host {
  const host = testHost();
  return { ...host, clock: { ...host.clock, now: () => Date.now() + seconds * 1000 } };
}

async function sealed(folder: { path: string }, host = later(10)) {
  const root = makeTree(folder);
  const tree = await hashTree(host, root);
  await writeSeal(host, sealFileOf(root), tree);
  return { root, facts: { plugin: "fli", root, sealFile: sealFileOf(root), treeSha256: tree.sha256 } };
}

describe("the digest of a tree", () => {
  test("T6 it covers path, kind, mode, size and content, and not the order in which they are found", () => {
    const base = [file("a"), file("b")];
    const variants = [
      [file("a"), file("c")],
      [file("a", { mode: 0o555 }), file("b")],
      [file("a", { size: 2 }), file("b")],
      [file("a", { sha256: "b".repeat(64) }), file("b")],
      [file("a", { kind: "link" }), file("b")],
      [file("a")],
      [...base, { path: "d", kind: "folder" as const, mode: 0o555, size: 0, sha256: "" }],
    ];
    const digests = [base, ...variants].map(treeDigest);
    expect(new Set(digests).size).toBe(8);
    expect(treeDigest([file("b"), file("a")])).toBe(treeDigest(base));
    expect(treeDigest(base)).toMatch(/^[0-9a-f]{64}$/);
  });

  test("T6 no name of a file can be taken for another entry", () => {
    const tricky = [file(`a file 444 1 ${"a".repeat(64)}\nb`), file("a\n"), file("a")];
    const digests = tricky.map((entry) => treeDigest([entry]));
    expect(new Set([...digests, treeDigest([file("a"), file("b")])]).size).toBe(4);
  });

  test("T6 the digest of a known tree is a fixed value", async () => {
    using folder = tempFolder();
    const root = makeTree(folder);
    chmodSync(join(root, "lib"), 0o555);
    const { sha256, fileCount, totalBytes, entries } = await hashTree(testHost(), root);
    expect(entries.map(({ path }) => path).sort()).toEqual(["lib", "lib/a.js", "lib/b.js", "link", "run"]);
    expect([fileCount, totalBytes]).toEqual([4, 13]);
    expect(sha256).toBe("8d8124cc0708f87a6d1dd971068561fb0eb91b3f703cc66b468013311c1b286a");
  });
});

describe("the seal", () => {
  test("T8 an untouched tree passes without one file being read", async () => {
    using folder = tempFolder();
    const { facts } = await sealed(folder);
    expect(await checkSeal(testHost(), facts)).toEqual({ entries: 5, hashed: 0, refreshed: false });
  });

  const changes: [string, (root: string) => void, string][] = [
    [
      "changed content of the same size with its old times",
      (root) => {
        const { atime, mtime } = statSync(join(root, "lib/a.js"));
        chmodSync(join(root, "lib/a.js"), 0o644);
        writeFileSync(join(root, "lib/a.js"), "X");
        chmodSync(join(root, "lib/a.js"), 0o444);
        utimesSync(join(root, "lib/a.js"), atime, mtime);
      },
      'has the changed file "lib/a.js"',
    ],
    [
      "a file replaced by another one",
      (root) => {
        writeFileSync(join(root, "new"), "X", { mode: 0o444 });
        renameSync(join(root, "new"), join(root, "lib/b.js"));
      },
      'has the changed file "lib/b.js"',
    ],
    ["a changed mode", (root) => chmodSync(join(root, "lib/a.js"), 0o555), 'has the changed file "lib/a.js"'],
    [
      "a changed mode of a folder",
      (root) => chmodSync(join(root, "lib"), 0o777),
      'has the changed file "lib"',
    ],
    ["an added file", (root) => writeFileSync(join(root, "lib/c.js"), ""), 'has the added file "lib/c.js"'],
    ["an added folder", (root) => mkdirSync(join(root, "more")), 'has the added file "more"'],
    ["a removed file", (root) => rmSync(join(root, "lib/b.js")), 'lacks the file "lib/b.js"'],
    ["a removed folder", (root) => rmSync(join(root, "lib"), { recursive: true }), 'lacks the file "lib"'],
    [
      "a link that points elsewhere",
      (root) => {
        rmSync(join(root, "link"));
        symlinkSync("lib/b.js", join(root, "link"));
      },
      'has the changed file "link"',
    ],
    [
      "a file that became a link",
      (root) => {
        renameSync(join(root, "lib/b.js"), join(root, "..", "b.js"));
        symlinkSync("../../b.js", join(root, "lib/b.js"));
      },
      'has the changed file "lib/b.js"',
    ],
    [
      "an added file in a folder whose times were set back",
      (root) => {
        const { atime, mtime } = statSync(join(root, "lib"));
        writeFileSync(join(root, "lib/c.js"), "");
        utimesSync(join(root, "lib"), atime, mtime);
      },
      'has the added file "lib/c.js"',
    ],
    ["an added link", (root) => symlinkSync("run", join(root, "other")), 'has the added file "other"'],
  ];
  for (const [what, change, said] of changes) {
    test(`T8 ${what} is PLUGIN_TREE_MODIFIED`, async () => {
      using folder = tempFolder();
      const { root, facts } = await sealed(folder);
      change(root);
      const { code, message } = await refusal(() => checkSeal(testHost(), facts));
      expect([code, message]).toEqual(["PLUGIN_TREE_MODIFIED", `The install root of plugin "fli" ${said}.`]);
      expect((await refusal(() => checkDeep(testHost(), facts))).code).toBe("PLUGIN_TREE_MODIFIED");
    });
  }

  test("T8 a file that looks different and is the same is hashed, and the seal refreshed", async () => {
    using folder = tempFolder();
    const { root, facts } = await sealed(folder);
    utimesSync(join(root, "run"), new Date(), new Date());
    const host = later(20);
    expect(await checkSeal(host, facts)).toEqual({ entries: 5, hashed: 1, refreshed: true });
    expect(await checkSeal(host, facts)).toEqual({ entries: 5, hashed: 0, refreshed: false });
  });

  test("T8 a file that was changed within two seconds of the sealing is hashed although it looks the same", async () => {
    using folder = tempFolder();
    const { root, facts } = await sealed(folder, later(1.5));
    expect(await checkSeal(later(1.5), facts)).toMatchObject({ hashed: 4, refreshed: true });
    writeFileSync(facts.sealFile, readFileSync(facts.sealFile, "utf8"));
    chmodSync(join(root, "lib/a.js"), 0o644);
    writeFileSync(join(root, "lib/a.js"), "X");
    chmodSync(join(root, "lib/a.js"), 0o444);
    // As if the clock had been too coarse to show the change: the seal is made to describe the changed file.
    const { ino, mtimeNs, ctimeNs } = statSync(join(root, "lib/a.js"), { bigint: true });
    const text = readFileSync(facts.sealFile, "utf8").replace(
      /^file 444 1 \d+ \d+ \d+ (\w+) lib\/a\.js$/m,
      `file 444 1 ${mtimeNs} ${ctimeNs} ${ino} $1 lib/a.js`,
    );
    writeFileSync(facts.sealFile, text);
    expect((await refusal(() => checkSeal(testHost(), facts))).code).toBe("PLUGIN_TREE_MODIFIED");
  });

  test("T8 a seal that is absent, damaged or of another tree is replaced after everything was hashed", async () => {
    using folder = tempFolder();
    const { facts } = await sealed(folder);
    const good = readFileSync(facts.sealFile, "utf8");
    const damages: (() => void)[] = [
      () => rmSync(facts.sealFile),
      () => writeFileSync(facts.sealFile, ""),
      () => writeFileSync(facts.sealFile, good.slice(0, -20)),
      () => writeFileSync(facts.sealFile, new Uint8Array([0xff, 0xff])),
      () => writeFileSync(facts.sealFile, good.replace(/[0-9a-f]{64} run$/m, `${"0".repeat(64)} run`)),
      () => {
        rmSync(facts.sealFile);
        symlinkSync("elsewhere", facts.sealFile);
      },
    ];
    for (const damage of damages) {
      damage();
      expect(await checkSeal(later(10), facts)).toEqual({ entries: 5, hashed: 5, refreshed: true });
      expect(await checkSeal(later(10), facts)).toEqual({ entries: 5, hashed: 0, refreshed: false });
    }
  });

  test("T8 a seal that was rewritten to fit a changed file does not fit the lock", async () => {
    using folder = tempFolder();
    const { root, facts } = await sealed(folder);
    chmodSync(join(root, "run"), 0o755);
    writeFileSync(join(root, "run"), "bad");
    chmodSync(join(root, "run"), 0o555);
    await writeSeal(later(10), facts.sealFile, await hashTree(testHost(), root));
    expect((await refusal(() => checkSeal(testHost(), facts))).code).toBe("PLUGIN_TREE_MODIFIED");
  });

  test("T8 an install root that is gone is PLUGIN_TREE_MODIFIED", async () => {
    using folder = tempFolder();
    const { root, facts } = await sealed(folder);
    rmSync(root, { recursive: true });
    expect(await refusal(() => checkSeal(testHost(), facts))).toMatchObject({
      code: "PLUGIN_TREE_MODIFIED",
      message: 'The install root of plugin "fli" is not there any more.',
    });
  });

  test("T8 a changed link is found by its own times, not by those of its target", async () => {
    using folder = tempFolder();
    const { root, facts } = await sealed(folder);
    lutimesSync(join(root, "link"), new Date(), new Date());
    expect(await checkSeal(later(10), facts)).toMatchObject({ hashed: 1 });
  });

  test("T8 names with newlines and backslashes survive the seal", async () => {
    using folder = tempFolder();
    const root = join(folder.path, "root");
    mkdirSync(root);
    for (const name of ["a\nb", "a\\nb", "a b ", "\\"]) writeFileSync(join(root, name), name);
    const tree = await hashTree(testHost(), root);
    await writeSeal(later(10), sealFileOf(root), tree);
    const seal = parseSeal(readFileSync(sealFileOf(root), "utf8"), tree.sha256);
    expect([...(seal?.lines.keys() ?? [])].sort()).toEqual(["a\nb", "a b ", "a\\nb", "\\"].sort());
  });
});
