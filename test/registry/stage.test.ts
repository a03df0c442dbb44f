import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { followLink } from "../../src/model/entry-names.ts";
import type { CopyProgress } from "../../src/registry/stage.ts";
import { copyTree } from "../../src/registry/stage.ts";
import { errno, failingHost, picture, refusal, tempFolder, testHost } from "./support.ts";

const limits = { maxFiles: 1000, maxBytes: 1_000_000 };
const isRoot = process.getuid?.() === 0;

function folders(folder: { path: string }) {
  const source = join(folder.path, "source");
  mkdirSync(source);
  return { source, target: join(folder.path, "plugins", "fli", "root") };
}

async function refused(source: string, target: string, host = testHost()) {
  const { code, message } = await refusal(() => copyTree(host, source, target, limits));
  expect(existsSync(target)).toBe(false);
  return { code, message };
}

const unsafe = (entry: string, why: string) => ({
  code: "PLUGIN_ARCHIVE_UNSAFE",
  message: `The entry "${entry}" ${why}.`,
});

describe("copying", () => {
  test("T5 files become 0444, executables 0555, folders 0555, whatever they were, and special bits are dropped", async () => {
    using folder = tempFolder();
    const { source, target } = folders(folder);
    mkdirSync(join(source, "bin/empty"), { recursive: true });
    const files = [
      ["plain", 0o666],
      ["secret", 0o600],
      ["bin/group", 0o610],
      ["bin/run", 0o755],
      ["bin/setuid", 0o4755],
      ["bin/setgid", 0o2644],
    ] as const;
    for (const [name, mode] of files) {
      writeFileSync(join(source, name), name);
      chmodSync(join(source, name), mode);
    }
    chmodSync(join(source, "bin/empty"), 0o1777);
    symlinkSync("bin/run", join(source, "link"));
    const { entries, fileCount, totalBytes } = await copyTree(testHost(), source, target, limits);
    expect(picture(target)).toEqual({
      bin: "folder 555",
      "bin/empty": "folder 555",
      "bin/group": "555 bin/group",
      "bin/run": "555 bin/run",
      "bin/setgid": "444 bin/setgid",
      "bin/setuid": "555 bin/setuid",
      link: "-> bin/run",
      plain: "444 plain",
      secret: "444 secret",
    });
    expect((statSync(target).mode & 0o7777).toString(8)).toBe("555");
    expect([fileCount, totalBytes]).toEqual([7, 47]);
    expect(entries.find(({ path }) => path === "plain")).toEqual({
      path: "plain",
      kind: "file",
      mode: 0o444,
      size: 5,
      sha256: "a116c9ed46d6207734a43317d30fd88f52ac8634c37d904bbf4e41d865f90475",
    });
  });

  test("T5 a hard link is copied as a file of its own, and the owner is the user", async () => {
    using folder = tempFolder();
    const { source, target } = folders(folder);
    writeFileSync(join(source, "a"), "same");
    linkSync(join(source, "a"), join(source, "b"));
    await copyTree(testHost(), source, target, limits);
    const [a, b] = [statSync(join(target, "a")), statSync(join(target, "b"))];
    expect([a.nlink, b.nlink, a.ino === b.ino, a.uid]).toEqual([1, 1, false, process.getuid?.() ?? -1]);
  });

  test("T5 a file larger than one block arrives whole, with its digest", async () => {
    using folder = tempFolder();
    const { source, target } = folders(folder);
    const bytes = new Uint8Array(3_500_000).map((_, at) => at % 251);
    writeFileSync(join(source, "big"), bytes);
    const { entries } = await copyTree(testHost(), source, target, { maxFiles: 10, maxBytes: 4_000_000 });
    const expected = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    expect(entries[0]?.sha256).toBe(expected);
    expect(readFileSync(join(target, "big")).equals(bytes)).toBe(true);
  });

  test("T5 a symbolic link that stays inside is kept, also one that dangles", async () => {
    using folder = tempFolder();
    const { source, target } = folders(folder);
    mkdirSync(join(source, "a/b"), { recursive: true });
    symlinkSync("../../nothing", join(source, "a/b/dangling"));
    symlinkSync("b", join(source, "a/c"));
    symlinkSync("c/../../x", join(source, "a/through"));
    await copyTree(testHost(), source, target, limits);
    expect(picture(target)).toMatchObject({
      "a/b/dangling": "-> ../../nothing",
      "a/through": "-> c/../../x",
    });
  });

  test("progress is told, and an abort leaves nothing behind", async () => {
    using folder = tempFolder();
    const { source, target } = folders(folder);
    for (let at = 0; at < 200; at++) writeFileSync(join(source, `f${at}`), "x");
    const seen: CopyProgress[] = [];
    await copyTree(testHost(), source, target, limits, (progress) => seen.push(progress));
    expect(seen.map(({ files }) => files)).toEqual([64, 128, 192, 200]);
    expect(seen.at(-1)).toEqual({ files: 200, totalFiles: 200, bytes: 200, totalBytes: 200 });
    const stop = new AbortController();
    const second = `${target}-2`;
    const copying = copyTree(
      testHost(),
      source,
      second,
      limits,
      () => stop.abort(new Error("stop")),
      stop.signal,
    );
    await expect(copying).rejects.toThrow("stop");
    expect(existsSync(second)).toBe(false);
  });
});

describe("what is not copied", () => {
  const links = [
    ["absolute", "/etc/passwd"],
    ["upwards", "../outside"],
    ["up through a folder", "sub/../../outside"],
    ["up through another link", "inner/../../outside"],
  ] as const;
  for (const [what, to] of links) {
    test(`T5 a symbolic link that leaves the tree is refused: ${what}`, async () => {
      using folder = tempFolder();
      const { source, target } = folders(folder);
      writeFileSync(join(folder.path, "outside"), "secret");
      mkdirSync(join(source, "sub/deep"), { recursive: true });
      symlinkSync("sub/deep", join(source, "inner"));
      symlinkSync(to === "inner/../../outside" ? "inner/../../../outside" : to, join(source, "link"));
      expect(await refused(source, target)).toEqual(
        unsafe("link", "is a link that leaves the plugin's folder"),
      );
    });
  }

  test("T5 links that chase each other are refused", async () => {
    using folder = tempFolder();
    const { source, target } = folders(folder);
    symlinkSync("b", join(source, "a"));
    symlinkSync("a", join(source, "b"));
    expect(await refused(source, target)).toEqual(unsafe("a", "is a link that leads back to itself"));
  });

  test("T5 following a link agrees with the kernel's rules", () => {
    const links = new Map([
      ["a/l", "b"],
      ["up", "a/.."],
      ["top", "."],
      ["out", "a/l/../../.."],
    ]);
    const verdicts = ["a/l", "up", "top", "out"].map((path) => followLink(path, links));
    expect(verdicts).toEqual(["inside", "inside", "inside", "outside"]);
  });

  test("T5 FIFOs and sockets are refused", async () => {
    using folder = tempFolder();
    const { source, target } = folders(folder);
    expect(spawnSync("mkfifo", [join(source, "pipe")], { timeout: 5000 }).status).toBe(0);
    expect(await refused(source, target)).toEqual(unsafe("pipe", "is a device, a FIFO or a socket"));
    rmSync(join(source, "pipe"));
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(source, "sock"), resolve));
    try {
      expect(await refused(source, target)).toEqual(unsafe("sock", "is a device, a FIFO or a socket"));
    } finally {
      server.close();
    }
  });

  test.skipIf(!isRoot)("T5 a device is refused (only root can make one)", async () => {
    using folder = tempFolder();
    const { source, target } = folders(folder);
    expect(spawnSync("mknod", [join(source, "null"), "c", "1", "3"], { timeout: 5000 }).status).toBe(0);
    expect(await refused(source, target)).toEqual(unsafe("null", "is a device, a FIFO or a socket"));
  });

  test("T5 names that differ only by case or Unicode form are refused", async () => {
    using folder = tempFolder();
    const { source, target } = folders(folder);
    for (const [first, second] of [
      ["README", "readme"],
      ["caf\u00e9", "cafe\u0301"],
      ["STRASSE", "stra\u00dfe"],
    ] as const) {
      const inner = join(source, "d");
      mkdirSync(inner);
      writeFileSync(join(inner, first), "1");
      writeFileSync(join(inner, second), "2");
      const { code, message } = await refused(source, target);
      expect(code).toBe("PLUGIN_ARCHIVE_UNSAFE");
      expect(message).toMatch(/^The entry "d\/.+" differs from ".+" only by case or Unicode form\.$/);
      rmSync(inner, { recursive: true });
    }
  });

  test("T5 names with control or invisible characters, backslashes or bytes that are no UTF-8 are refused", async () => {
    using folder = tempFolder();
    const { source, target } = folders(folder);
    const names = [
      ["a\nb", "a?b", "has a name with a control character"],
      ["a\u001b[31m", "a?[31m", "has a name with U+001B, control character"],
      ["a\u202eb", "a\u202eb", "has a name with U+202E, bidirectional override"],
      ["a\\b", "a\\b", "has a backslash in its name"],
    ] as const;
    for (const [name, shown, why] of names) {
      writeFileSync(join(source, name), "");
      const { message } = await refused(source, target);
      expect(message.replace("a\u202eb", "a?b")).toBe(`The entry "${shown.replace("\u202e", "?")}" ${why}.`);
      rmSync(join(source, name));
    }
    const raw = Buffer.concat([Buffer.from(`${source}/`), Buffer.from([0x61, 0xff])]);
    writeFileSync(raw, "");
    expect((await refused(source, target)).message).toBe(
      'The entry "a?" has a name that is not valid UTF-8.',
    );
    unlinkSync(raw);
  });

  test("T5 more files or bytes than allowed are refused, also as one sparse file", async () => {
    using folder = tempFolder();
    const { source, target } = folders(folder);
    for (const name of ["a", "b", "c"]) writeFileSync(join(source, name), "12345");
    const host = testHost();
    const copy = (maxFiles: number, maxBytes: number) =>
      copyTree(host, source, target, { maxFiles, maxBytes });
    expect(await refusal(() => copy(2, 100))).toMatchObject(
      unsafe("c", "is one more than the 2 that a plugin may have"),
    );
    expect(await refusal(() => copy(3, 14))).toMatchObject(
      unsafe("c", "makes the plugin larger than 14 bytes"),
    );
    truncateSync(join(source, "a"), 3 * 1024 ** 3);
    expect((await refusal(() => copy(10, 2 * 1024 ** 3))).message).toBe(
      'The entry "a" makes the plugin larger than 2147483648 bytes.',
    );
    expect(existsSync(target)).toBe(false);
    truncateSync(join(source, "a"), 5);
    expect((await copy(3, 15)).totalBytes).toBe(15);
  });

  test("T5 a file that grows beyond the limit while it is copied is refused", async () => {
    using folder = tempFolder();
    const { source, target } = folders(folder);
    writeFileSync(join(source, "log"), "x");
    const real = testHost();
    const host = failingHost({
      async open(path, how) {
        if (how === "read-no-follow") writeFileSync(path, "x".repeat(2_000_000));
        return real.files.open(path, how);
      },
    });
    expect(await refused(source, target, host)).toEqual(
      unsafe("log", "grew beyond the size that a plugin may have while it was copied"),
    );
  });

  test("T5 a file that is swapped for a link, or a folder above it, between look and copy is refused", async () => {
    using folder = tempFolder();
    const { source, target } = folders(folder);
    const outside = join(folder.path, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "run"), "secret");
    mkdirSync(join(source, "bin"));
    writeFileSync(join(source, "bin/run"), "good");
    const real = testHost();
    const swapping = (swap: () => void) => {
      let done = false;
      return failingHost({
        async open(path, how) {
          if (how === "read-no-follow" && !done) {
            done = true;
            swap();
          }
          return real.files.open(path, how);
        },
      });
    };
    const host = swapping(() => {
      rmSync(join(source, "bin/run"));
      symlinkSync(join(outside, "run"), join(source, "bin/run"));
    });
    expect(await refused(source, target, host)).toEqual(unsafe("bin/run", "changed while it was copied"));
    rmSync(join(source, "bin/run"));
    writeFileSync(join(source, "bin/run"), "good");
    const parent = swapping(() => {
      renameSync(join(source, "bin"), join(source, "old"));
      symlinkSync(outside, join(source, "bin"));
    });
    expect(await refused(source, target, parent)).toEqual(unsafe("bin/run", "changed while it was copied"));
  });

  test("T5 a source that holds gum's own folder is refused before anything is written", async () => {
    using folder = tempFolder();
    const { source } = folders(folder);
    const inside = join(source, "data/plugins/x/root");
    expect((await refusal(() => copyTree(testHost(), source, inside, limits))).code).toBe(
      "PLUGIN_ARCHIVE_UNSAFE",
    );
    expect(readdirSync(source)).toEqual([]);
  });

  test("a source that is no folder is PLUGIN_FETCH_FAILED, a full disk REGISTRY_IO; both leave nothing", async () => {
    using folder = tempFolder();
    const { source, target } = folders(folder);
    expect((await refused(join(source, "nothing"), target)).code).toBe("PLUGIN_FETCH_FAILED");
    writeFileSync(join(source, "a"), "1");
    expect((await refused(join(source, "a"), target)).code).toBe("PLUGIN_FETCH_FAILED");
    const real = testHost();
    const full = failingHost({
      open: async (path, how) =>
        how === "write-new"
          ? { ...(await real.files.open(path, how)), write: () => Promise.reject(errno("ENOSPC")) }
          : real.files.open(path, how),
    });
    expect(await refused(source, target, full)).toEqual({
      code: "REGISTRY_IO",
      message: "Cannot copy the plugin into the registry: ENOSPC.",
    });
  });

  test.skipIf(isRoot)("T5 an entry that cannot be read is named (root may read anything)", async () => {
    using folder = tempFolder();
    const { source, target } = folders(folder);
    writeFileSync(join(source, "secret"), "x", { mode: 0o000 });
    expect(await refused(source, target)).toEqual({
      code: "PLUGIN_FETCH_FAILED",
      message: 'The plugin\'s source cannot be read: the entry "secret" is not readable.',
    });
  });
});
