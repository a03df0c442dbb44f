import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Host, HttpAnswer } from "../../src/host/host.ts";
import type { Source } from "../../src/model/install.ts";
import { checkDigest } from "../../src/steps/check-digest.ts";
import { fetch } from "../../src/steps/fetch.ts";
import { unpack } from "../../src/steps/unpack.ts";
import { picture, tempFolder, testHost } from "../registry/support.ts";
import { tgz, zip } from "../source/archives.ts";
import { Repository } from "../source/repository.ts";
import { profile as named, refusalOf, runStep } from "./run-step.ts";

const sha256 = (data: Uint8Array): string => createHash("sha256").update(data).digest("hex");
const archive = zip([{ name: "hello/manifest.json", data: "{}" }]);

/** A profile in a folder of the test's own. */
function world(host: Host = testHost()) {
  const folder = tempFolder();
  const profile = {
    ...named,
    dataDir: join(folder.path, "data"),
    pluginsDir: join(folder.path, "data/plugins"),
  };
  const staging = join(profile.dataDir, "staging");
  return {
    folder: folder.path,
    profile,
    /** What lies in staging/, by transaction. */
    staged: () => (existsSync(staging) ? readdirSync(staging) : []),
    fetch: (source: Source, more: Partial<typeof profile> = {}) =>
      runStep(fetch, { source, profile: { ...profile, ...more } }, { host }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

describe("fetch", () => {
  test("P16 a folder is left where it lies, and nothing is written", async () => {
    using at = world();
    const source = { kind: "folder", path: at.folder } as const;
    const { given } = await at.fetch(source);
    expect(given).toEqual({ artifact: { kind: "folder", path: at.folder }, staging: null });
    expect(fetch.otherwise?.({ source, profile: at.profile })).toEqual(given);
    expect(readdirSync(at.folder)).toEqual([]);
  });

  test("P16 an archive is copied into the staging folder of this run, which is removed at the end", async () => {
    using at = world();
    const path = join(at.folder, "hello.zip");
    writeFileSync(path, archive);
    const { given, notes, close } = await at.fetch({ kind: "archive", path });
    const copy = join(given.staging?.folder ?? "", "archive");
    expect(given.artifact).toEqual({
      kind: "archive",
      path: copy,
      sha256: sha256(archive),
      size: archive.length,
    });
    expect(at.staged()).toEqual([given.staging?.txid ?? ""]);
    expect(notes).toEqual([`${archive.length} bytes`]);
    await close();
    expect(at.staged()).toEqual([]);
  });

  test("T33 an archive that cannot be read is told, and leaves nothing", async () => {
    using at = world();
    mkdirSync(join(at.folder, "folder.zip"));
    symlinkSync("loop.zip", join(at.folder, "loop.zip"));
    writeFileSync(join(at.folder, "closed.zip"), "");
    chmodSync(join(at.folder, "closed.zip"), 0);
    const told = async (name: string) => {
      const error = await refusalOf(() => at.fetch({ kind: "archive", path: join(at.folder, name) }));
      return `${error.code}: ${error.message}`;
    };
    expect(await told("absent.zip")).toBe("PLUGIN_FETCH_FAILED: The archive absent.zip does not exist.");
    expect(await told("folder.zip")).toBe("PLUGIN_FETCH_FAILED: The archive folder.zip is a folder.");
    expect(await told("loop.zip")).toBe("PLUGIN_FETCH_FAILED: The archive loop.zip is no regular file.");
    if (process.getuid?.() !== 0)
      expect(await told("closed.zip")).toBe("PLUGIN_FETCH_FAILED: The archive closed.zip cannot be read.");
  });

  test("T33 a repository becomes the files of its commit", async () => {
    using at = world();
    const repository = new Repository(join(at.folder, "repo"));
    repository.write({ "manifest.json": "{}" });
    const commit = repository.commit();
    const { given, close } = await at.fetch({ kind: "git", url: `file://${repository.path}`, commit });
    expect(given.artifact.kind).toBe("checkout");
    expect(readdirSync(given.artifact.path)).toEqual(["manifest.json"]);
    await close();
    expect(at.staged()).toEqual([]);
  });

  test("W26 the marketplace token goes to the marketplace's origin alone", async () => {
    const asked: (string | undefined)[] = [];
    const real = testHost();
    const answer: HttpAnswer = { status: 200, header: () => undefined, body: (async function* () {})() };
    const network = {
      ...real.network,
      async get(_: string, options: { headers?: Readonly<Record<string, string>> }) {
        asked.push(options.headers?.authorization);
        return answer;
      },
    };
    using at = world({ ...real, network, env: { ...real.env, MARKETPLACE_TOKEN: "sesame" } });
    const source = { kind: "url", url: "https://plugins.example/x.zip", sha256: "0" } as const;
    await (await at.fetch(source, { marketplaceUrl: "https://plugins.example/api" })).close();
    await (await at.fetch(source, { marketplaceUrl: "https://other.example/" })).close();
    await (await at.fetch(source, { marketplaceUrl: "http://plugins.example/" })).close();
    await (await at.fetch(source, { marketplaceUrl: null })).close();
    expect(asked).toEqual(["Bearer sesame", undefined, undefined, undefined]);
  });

  test("P5 a pipeline that skips it for anything but a folder is refused", async () => {
    using at = world();
    const source = { kind: "archive", path: "/x.zip" } as const;
    expect((await refusalOf(() => fetch.otherwise?.({ source, profile: at.profile }))).code).toBe(
      "PLUGIN_FETCH_FAILED",
    );
  });
});

describe("check-digest", () => {
  const artifact = { kind: "archive", path: "/a", sha256: "a".repeat(64), size: 1 } as const;

  test("T26 a wrong digest is refused, a right one and none at all pass", async () => {
    const check = (digest?: string) =>
      runStep(checkDigest, { artifact, source: { kind: "archive", path: "/x.zip", sha256: digest } });
    const error = await refusalOf(() => check("b".repeat(64)));
    expect([error.code, error.info.details]).toEqual([
      "PLUGIN_CHECKSUM_MISMATCH",
      { expected_sha256: "b".repeat(64), actual_sha256: "a".repeat(64) },
    ]);
    expect((await check("a".repeat(64))).given).toEqual({ digestChecked: "a".repeat(64) });
    expect((await check()).given).toEqual({ digestChecked: "a".repeat(64) });
    const url = { kind: "url", url: "https://x.example/", sha256: "c".repeat(64) } as const;
    expect((await refusalOf(() => runStep(checkDigest, { artifact, source: url }))).code).toBe(
      "PLUGIN_CHECKSUM_MISMATCH",
    );
  });

  test("T26 folders and commits have no digest, and no pipeline skips an archive's", async () => {
    const folder = {
      artifact: { kind: "folder", path: "/p" },
      source: { kind: "folder", path: "/p" },
    } as const;
    expect((await runStep(checkDigest, folder)).given).toEqual({ digestChecked: null });
    expect(checkDigest.otherwise?.(folder)).toEqual({ digestChecked: null });
    const skipped = { artifact, source: { kind: "archive", path: "/x.zip" } } as const;
    expect((await refusalOf(() => checkDigest.otherwise?.(skipped))).code).toBe("PLUGIN_CHECKSUM_MISMATCH");
  });
});

describe("unpack", () => {
  async function unpackedFrom(at: ReturnType<typeof world>, data: Uint8Array) {
    const path = join(at.folder, `${sha256(data).slice(0, 8)}.zip`);
    writeFileSync(path, data);
    const fetched = await at.fetch({ kind: "archive", path });
    return {
      fetched,
      run: () =>
        runStep(
          unpack,
          { ...fetched.given, digestChecked: sha256(data), profile: named },
          { host: testHost() },
        ),
    };
  }

  test("T26 an archive becomes a folder in staging; its one top folder is stepped into", async () => {
    using at = world();
    const { fetched, run } = await unpackedFrom(at, archive);
    const { given } = await run();
    expect(given.folder).toBe(join(fetched.given.staging?.folder ?? "", "unpacked/hello"));
    expect(picture(given.folder)).toEqual({ "manifest.json": "600 {}" });
    await fetched.close();
    expect(existsSync(given.folder)).toBe(false);
  });

  test("T26 an entry that escapes is refused by name, and staging is empty afterwards", async () => {
    using at = world();
    const { fetched, run } = await unpackedFrom(
      at,
      tgz([
        { name: "fine", data: "x" },
        { name: "../../evil", data: "x" },
      ]),
    );
    const error = await refusalOf(run);
    expect(`${error.code}: ${error.message}`).toBe(
      'PLUGIN_ARCHIVE_UNSAFE: The entry "../../evil" leaves the archive\'s folder.',
    );
    await fetched.close();
    expect(at.staged()).toEqual([]);
    expect(readdirSync(at.profile.dataDir)).not.toContain("evil");
  });

  test("T26 a commit with a link to outside is refused before anything is read", async () => {
    using at = world();
    const repository = new Repository(join(at.folder, "repo"));
    symlinkSync("/etc/passwd", join(repository.path, "manifest.json"));
    const commit = repository.commit();
    const fetched = await at.fetch({ kind: "git", url: `file://${repository.path}`, commit });
    const error = await refusalOf(() =>
      runStep(unpack, { ...fetched.given, digestChecked: null, profile: named }, { host: testHost() }),
    );
    expect(error.message).toBe('The entry "manifest.json" is a link that leaves the plugin\'s folder.');
    await fetched.close();
  });

  test("P5 a pipeline that skips it for an archive is refused", async () => {
    const artifact = { kind: "archive", path: "/a", sha256: "", size: 1 } as const;
    const input = { artifact, staging: null, digestChecked: "", profile: named };
    expect((await refusalOf(() => unpack.otherwise?.(input))).code).toBe("PLUGIN_FETCH_FAILED");
    expect((await refusalOf(() => runStep(unpack, input))).code).toBe("PLUGIN_FETCH_FAILED");
    const folder = {
      artifact: { kind: "folder", path: "/p" },
      staging: null,
      digestChecked: null,
      profile: named,
    } as const;
    expect(unpack.otherwise?.(folder)).toEqual({ folder: "/p" });
  });
});
