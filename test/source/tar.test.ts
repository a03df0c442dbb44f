import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { unpackLimits } from "../../src/source/limits.ts";
import { pax, type TarPart, tar, tgz } from "./archives.ts";
import { refused, unpacked } from "./support.ts";

const entry = (name: string, why: string) => `PLUGIN_ARCHIVE_UNSAFE: The entry "${name}" ${why}.`;
const whole = (why: string) => `PLUGIN_ARCHIVE_UNSAFE: The archive ${why}.`;
const file = (name: string, more: Partial<TarPart> = {}): TarPart => ({ name, data: "content", ...more });

describe("a tar.gz", () => {
  test("T26 is unpacked with its folders, links and execute bits, and nothing else of its modes", async () => {
    const { tree, folder } = await unpacked(
      tgz([
        { name: "./", type: "5" },
        { name: "./bin/", type: "5", mode: 0o1777 },
        file("./bin/run", { mode: 0o4755 }),
        file("plain", { type: "\0", mode: 0o666 }),
        { name: "link", type: "2", link: "bin/run" },
        file("file", { prefix: "a/b" }),
      ]),
    );
    expect(tree).toEqual({
      a: "folder 700",
      "a/b": "folder 700",
      "a/b/file": "600 content",
      bin: "folder 700",
      "bin/run": "700 content",
      link: "-> bin/run",
      plain: "600 content",
    });
    expect(folder).toBe("");
  });

  test("T26 has long names in both ways of writing them", async () => {
    const long = `${"long/".repeat(30)}name`;
    const { tree } = await unpacked(
      tgz([
        { name: "././@LongLink", type: "L", data: `${long}1\0` },
        file("cut"),
        pax({ path: `${long}2`, mtime: "1.5", "SCHILY.xattr.user.x": new Uint8Array([0xff, 0x00, 0x3d]) }),
        file("cut"),
        { name: "././@LongLink", type: "K", data: `${long}1\0` },
        { name: "link", type: "2", link: "cut" },
      ]),
    );
    expect(tree[`${long}1`]).toBe("600 content");
    expect(tree[`${long}2`]).toBe("600 content");
    expect(tree.link).toBe(`-> ${long}1`);
  });

  test("T26 of a repository has a comment for the whole and one folder at its top", async () => {
    const archive = tgz([
      pax({ comment: "0123" }, "g"),
      { name: "repo-1/", type: "5" },
      file("repo-1/manifest.json"),
    ]);
    expect((await unpacked(archive)).folder).toBe("/repo-1");
  });

  test("T26 large enough to come in many blocks arrives whole", async () => {
    const data = new Uint8Array(3_000_001).map((_, at) => (at * at) % 251);
    const { bytes, tree } = await unpacked(tgz([{ name: "big", data }, file("next")]));
    expect(bytes).toBe(3_000_008);
    expect(tree.big).toBe(`600 ${Buffer.from(data).toString("utf8")}`);
    expect(tree.next).toBe("600 content");
  });
});

describe("entries of a tar.gz", () => {
  test("T26 names that escape are refused, however they are written", async () => {
    const leaves = "leaves the archive's folder";
    expect(await refused(tgz([file("../x")]))).toBe(entry("../x", leaves));
    expect(await refused(tgz([file("x", { prefix: "../y" })]))).toBe(entry("../y/x", leaves));
    expect(await refused(tgz([pax({ path: "a/../../x" }), file("fine")]))).toBe(entry("a/../../x", leaves));
    expect(await refused(tgz([file("L", { type: "L", data: "../x" }), file("fine")]))).toBe(
      entry("../x", leaves),
    );
    expect(await refused(tgz([file("/tmp/gum-escaped")]))).toBe(
      entry("/tmp/gum-escaped", "has an absolute path"),
    );
    expect(await refused(tgz([file("a\nb")]))).toBe(entry("a?b", "has a name with a control character"));
  });

  test("T26 hard links, devices, FIFOs and sparse files are refused", async () => {
    expect(await refused(tgz([file("a"), { name: "b", type: "1", link: "a" }]))).toBe(
      entry("b", "is a hard link"),
    );
    expect(await refused(tgz([{ name: "b", type: "1", link: "/etc/passwd" }]))).toBe(
      entry("b", "is a hard link"),
    );
    for (const type of ["3", "4", "6"])
      expect(await refused(tgz([{ name: "d", type }]))).toBe(entry("d", "is a device, a FIFO or a socket"));
    expect(await refused(tgz([{ name: "s", type: "S" }]))).toBe(
      entry("s", "is a sparse file, which gum does not read"),
    );
    expect(await refused(tgz([pax({ "GNU.sparse.major": "1" }), file("s")]))).toBe(
      whole("has sparse files, which gum does not read"),
    );
    expect(await refused(tgz([{ name: "q", type: "Q" }]))).toBe(
      entry("q", "is of a type that gum does not know"),
    );
  });

  test("T26 links to outside are refused", async () => {
    const leaves = "is a link that leaves the archive's folder";
    const link = (name: string, target: string): TarPart => ({ name, type: "2", link: target });
    expect(await refused(tgz([link("l", "/etc")]))).toBe(entry("l", leaves));
    expect(await refused(tgz([link("l", "../x")]))).toBe(entry("l", leaves));
    expect(await refused(tgz([pax({ linkpath: "../../x" }), link("a/l", "fine")]))).toBe(
      entry("a/l", leaves),
    );
    expect(await refused(tgz([link("d", "."), file("d/x")]))).toBe(
      entry("d/x", 'lies below "d", which is no folder'),
    );
  });

  test("T26 duplicates by name, case and Unicode form are refused", async () => {
    expect(await refused(tgz([file("a"), file("./a")]))).toBe(entry("./a", "stands twice in the archive"));
    expect(await refused(tgz([file("A"), file("a")]))).toContain("only by case or Unicode form");
  });

  test("T26 an extended header may not set names for the whole archive", async () => {
    expect(await refused(tgz([pax({ path: "x" }, "g"), file("a")]))).toBe(
      whole("sets path for all its entries"),
    );
  });
});

describe("the frame of a tar.gz", () => {
  const good = tgz([file("a")]);

  test("T26 data behind the end is refused, in the tar and in the gzip", async () => {
    const hidden = Buffer.concat([new Uint8Array(1024), tar([file("hidden")])]);
    expect(await refused(tgz([file("a")], hidden))).toBe(whole("has data behind its end"));
    expect(await refused(Buffer.concat([good, good]))).toBe(whole("has data behind its end"));
    expect(await refused(Buffer.concat([good, Buffer.from("x")]))).toBe(whole("has data behind its end"));
  });

  test("T26 a cut archive is refused wherever it is cut", async () => {
    for (let length = 12; length < good.length; length += 7)
      expect(await refused(good.subarray(0, length))).toMatch(
        /^PLUGIN_ARCHIVE_UNSAFE: The archive (?:is cut off|cannot|has)/,
      );
    expect(await refused(tgz([file("a")], new Uint8Array()))).toBe(whole("is cut off"));
    expect(await refused(gzipSync(tar([file("a", { size: 5000 })], new Uint8Array())))).toBe(
      whole("is cut off"),
    );
  });

  test("T26 damage is found by the check sums", async () => {
    const bad = Uint8Array.from(good);
    bad[bad.length - 6] = (bad.at(-6) ?? 0) ^ 1;
    expect(await refused(bad)).toBe(whole("does not have the check sum that it declares"));
    expect(await refused(tgz([file("a", { checksum: 1 })]))).toBe(whole("has a damaged tar header"));
    expect(await refused(tgz([file("a"), { name: "x", type: "x", data: "9 broken" }, file("b")]))).toBe(
      whole("has a damaged extended header"),
    );
  });

  test("T26 bombs are refused: large files, endless zeros, endless headers, too many entries", async () => {
    const limits = { ...unpackLimits, ratioFrom: 100_000, entries: 10 };
    expect(await refused(tgz([{ name: "bomb", data: new Uint8Array(500_000) }]), limits)).toBe(
      entry("bomb", "makes the content more than 200 times as large as the archive"),
    );
    expect(await refused(tgz([file("a")], new Uint8Array(4 << 20)))).toBe(
      whole("has too much behind its end"),
    );
    const padded = pax({ comment: "x".repeat(900_000) });
    expect(await refused(tgz(Array.from({ length: 80 }, () => padded)))).toBe(
      whole("has too long an extended header"),
    );
    const many = Array.from({ length: 11 }, (_, at) => file(`f${at}`));
    expect(await refused(tgz(many), limits)).toBe(whole("has more than 10 entries"));
  });
});
