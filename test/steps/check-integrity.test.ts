import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blake3 } from "hash-wasm";
import { createHost } from "../../src/host/real.ts";
import { parseManifest } from "../../src/manifest/read.ts";
import type { ManifestDocument } from "../../src/model/document.ts";
import { checkIntegrity } from "../../src/steps/check-integrity.ts";
import { requireCheckedFiles } from "../../src/trust/same-files.ts";
import { refusal } from "../registry/support.ts";
import { tempFolder, writeFiles } from "../trust/support.ts";
import { runStep } from "./run-step.ts";

const host = createHost();
const files = { "dist/index.js": "export {};\n", "dist/lib/a.js": "a\n" };
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const whole = (separator: string) => `index.js${separator}export {};\nlib/a.js${separator}a\n`;

function manifest(dist: unknown): Promise<ManifestDocument> {
  const value = { manifestVersion: "2", name: "fli", version: "1.0.0", entry: "dist/index.js", dist };
  return parseManifest({ name: "mcp-plugin.json", bytes: new TextEncoder().encode(JSON.stringify(value)) });
}

async function check(folder: string, dist: unknown) {
  const document = await manifest(dist);
  return runStep(checkIntegrity, { document, plugin: undefined as never, folder }, { host });
}

describe("check-integrity", () => {
  test("M32 both public forms of dist.hash are accepted, and the files' digests are kept", async () => {
    await using folder = tempFolder();
    writeFiles(folder.path, files);
    for (const separator of ["\0", "\n"]) {
      const { given } = await check(folder.path, { hash: `sha256:${sha256(whole(separator))}` });
      expect([...(given.integrity.dist ?? [])].sort()).toEqual([
        ["index.js", sha256("export {};\n")],
        ["lib/a.js", sha256("a\n")],
      ]);
    }
  });

  test("M32 count, size, files and further digests are checked when they are there", async () => {
    await using folder = tempFolder();
    writeFiles(folder.path, files);
    const good = {
      hash: `sha256:${sha256(whole("\0"))}`,
      hashes: [{ alg: "blake3", value: await blake3(whole("\0")) }],
      fileCount: 2,
      totalBytes: 13,
      coverage: "all",
      checksums: {
        files: [
          { path: "dist/index.js", sha256: sha256("export {};\n") },
          { path: "lib/a.js", sha256: sha256("a\n") },
        ],
      },
    };
    expect((await check(folder.path, good)).notes[0]).toStartWith(
      "2 files below dist/ have the digest sha256:",
    );
    const bad: Record<string, unknown> = {
      hash: `sha256:${sha256("other")}`,
      hashes: [{ alg: "blake3", value: await blake3(whole("\n")) }],
      fileCount: 3,
      totalBytes: 12,
      checksums: { files: [{ path: "lib/a.js", sha256: sha256("b\n") }] },
    };
    for (const [field, value] of Object.entries(bad)) {
      const { code } = await refusal(() => check(folder.path, { ...good, [field]: value }));
      expect([field, code]).toEqual([field, "PLUGIN_INTEGRITY_MISMATCH"]);
    }
  });

  test("M32 a changed, added, removed or renamed file and a link are found out", async () => {
    const changes: Record<string, (root: string) => void> = {
      changed: (root) => writeFileSync(join(root, "dist/lib/a.js"), "b\n"),
      added: (root) => writeFileSync(join(root, "dist/lib/b.js"), ""),
      removed: (root) => rmSync(join(root, "dist/lib/a.js")),
      renamed: (root) => renameSync(join(root, "dist/lib/a.js"), join(root, "dist/lib/b.js")),
      gone: (root) => rmSync(join(root, "dist"), { recursive: true }),
      linked: (root) => symlinkSync("index.js", join(root, "dist/more.js")),
    };
    for (const [name, change] of Object.entries(changes)) {
      await using folder = tempFolder();
      writeFiles(folder.path, files);
      const dist = { hash: `sha256:${sha256(whole("\0"))}` };
      await check(folder.path, dist);
      change(folder.path);
      expect([name, (await refusal(() => check(folder.path, dist))).code]).toEqual([
        name,
        "PLUGIN_INTEGRITY_MISMATCH",
      ]);
    }
  });

  test("M32 an empty folder is no difference, since only files are hashed", async () => {
    await using folder = tempFolder();
    writeFiles(folder.path, files);
    mkdirSync(join(folder.path, "dist/empty"));
    const { given } = await check(folder.path, { hash: `sha256:${sha256(whole("\n"))}` });
    expect(given.integrity.dist?.size).toBe(2);
  });

  test("a manifest without a digest vouches for nothing", async () => {
    await using folder = tempFolder();
    const { given, notes } = await check(folder.path, undefined);
    expect([given.integrity, notes]).toEqual([{ dist: null }, ["the manifest declares no digest"]]);
  });
});

describe("between the check and the copy", () => {
  const entry = (path: string, digest: string, kind: "file" | "link" | "folder" = "file") => ({
    path,
    kind,
    mode: 0o444,
    size: 1,
    sha256: digest,
  });

  test("M32 a copy that differs from what was checked is refused", async () => {
    const integrity = { dist: new Map([["a.js", "11"]]) };
    const copies = {
      same: [entry("dist", "", "folder"), entry("dist/a.js", "11"), entry("other.js", "99")],
      changed: [entry("dist/a.js", "22")],
      added: [entry("dist/a.js", "11"), entry("dist/b.js", "11")],
      removed: [],
      linked: [entry("dist/a.js", "11", "link")],
    };
    const verdicts: Record<string, string> = {};
    for (const [name, copied] of Object.entries(copies)) {
      verdicts[name] = await refusal(() => requireCheckedFiles("fli", integrity, copied)).then(
        ({ message }) => message,
        () => "accepted",
      );
    }
    const said = (file: string) => `The file "dist/${file}" of plugin "fli" changed after it was checked.`;
    expect(verdicts).toEqual({
      same: "accepted",
      changed: said("a.js"),
      added: said("b.js"),
      removed: said("a.js"),
      linked: said("a.js"),
    });
    requireCheckedFiles("fli", { dist: null }, copies.changed);
  });
});
