import { describe, expect, test } from "bun:test";
import { unpackLimits } from "../../src/source/limits.ts";
import { type ZipPart, zip } from "./archives.ts";
import { refused, unpacked } from "./support.ts";

const entry = (name: string, why: string) => `PLUGIN_ARCHIVE_UNSAFE: The entry "${name}" ${why}.`;
const whole = (why: string) => `PLUGIN_ARCHIVE_UNSAFE: The archive ${why}.`;
const file = (name: string, more: Partial<ZipPart> = {}): ZipPart => ({ name, data: "content", ...more });

describe("a zip", () => {
  test("T26 is unpacked with its folders, links and execute bits, and nothing else of its modes", async () => {
    const { tree, folder, entries, bytes } = await unpacked(
      zip([
        { name: "bin/", mode: 0o040777 },
        file("bin/run", { mode: 0o104755 }),
        file("deep/er/plain.txt", { mode: 0o100666, stored: true }),
        { name: "link", data: "bin/run", mode: 0o120777 },
        file("empty", { data: "" }),
        file("ümlaut"),
      ]),
    );
    expect(tree).toEqual({
      bin: "folder 700",
      "bin/run": "700 content",
      deep: "folder 700",
      "deep/er": "folder 700",
      "deep/er/plain.txt": "600 content",
      empty: "600 ",
      link: "-> bin/run",
      ümlaut: "600 content",
    });
    expect([folder, entries, bytes]).toEqual(["", 6, 21]);
  });

  test("T26 made by a stream has its sizes behind the data", async () => {
    const archive = zip([file("a", { descriptor: "signed" }), file("b", { descriptor: "bare" }), file("c")]);
    expect((await unpacked(archive)).tree).toEqual({ a: "600 content", b: "600 content", c: "600 content" });
  });

  test("T26 made elsewhere than on Unix has no modes, and a comment is fine", async () => {
    const archive = zip([file("a/b", { system: 0, mode: 0o777777 })], { comment: "commit 1234" });
    expect((await unpacked(archive)).tree).toEqual({ a: "folder 700", "a/b": "600 content" });
  });

  test("T26 with one folder at its top is stepped into, whatever the Finder put beside it", async () => {
    const archive = zip([file("hello-1.0/manifest.json"), file("__MACOSX/hello-1.0/._manifest.json")]);
    expect((await unpacked(archive)).folder).toBe("/hello-1.0");
    expect((await unpacked(zip([file("only.txt")]))).folder).toBe("");
    expect((await unpacked(zip([file("a/x"), file("b/x")]))).folder).toBe("");
  });

  test("T26 large enough to come in many blocks arrives whole", async () => {
    const data = new Uint8Array(3_000_000).map((_, at) => (at * at) % 251);
    const { bytes, tree } = await unpacked(zip([{ name: "big", data }]));
    expect(bytes).toBe(3_000_000);
    expect(tree.big).toBe(`600 ${Buffer.from(data).toString("utf8")}`);
  });
});

describe("names in a zip", () => {
  const cases: readonly (readonly [name: string, shown: string, why: string])[] = [
    ["../escape", "../escape", "leaves the archive's folder"],
    ["a/../../escape", "a/../../escape", "leaves the archive's folder"],
    ["a/..", "a/..", "leaves the archive's folder"],
    ["/tmp/gum-escaped", "/tmp/gum-escaped", "has an absolute path"],
    ["C:/windows", "C:/windows", "starts with a drive letter"],
    ["c:evil", "c:evil", "starts with a drive letter"],
    ["a\\..\\b", "a\\..\\b", "has a backslash in its name"],
    ["a//b", "a//b", "has an empty part in its path"],
    ["a/./b", "a/./b", "has an empty part in its path"],
    ["a\u0000b", "a?b", "has a name with U+0000, control character"],
    ["a\nb", "a?b", "has a name with a control character"],
    ["a\u202eb", "a?b", "has a name with U+202E, bidirectional override"],
    ["", "", "has no name"],
  ];
  for (const [name, shown, why] of cases) {
    test(`T26 ${JSON.stringify(name)} is refused`, async () => {
      expect(await refused(zip([file("fine"), file(name)]))).toBe(entry(shown, why));
    });
  }

  test("T26 a name that is not UTF-8 is refused", async () => {
    expect(await refused(zip([{ name: new Uint8Array([0x61, 0xff]), data: "x" }]))).toContain(
      "is not valid UTF-8",
    );
  });

  test("T26 a path that is too deep or too long is refused", async () => {
    const deep = `${"d/".repeat(64)}f`;
    expect(await refused(zip([file(deep)]))).toContain("lies more than 64 folders deep");
    expect(await refused(zip([file("n".repeat(256))]))).toContain("has too long a path");
    expect(await refused(zip([file(`${"n".repeat(200)}/`.repeat(6).concat("f"))]))).toContain(
      "has too long a path",
    );
  });

  test("T26 names that differ by case or Unicode form are refused, in folders too", async () => {
    expect(await refused(zip([file("README"), file("readme")]))).toBe(
      entry("readme", 'differs from "README" only by case or Unicode form'),
    );
    expect(await refused(zip([file("caf\u00e9"), file("cafe\u0301")]))).toContain(
      "only by case or Unicode form",
    );
    expect(await refused(zip([file("Lib/a"), file("lib/b")]))).toContain("only by case or Unicode form");
    expect(await refused(zip([file("stra\u00dfe"), file("STRASSE")]))).toContain(
      "only by case or Unicode form",
    );
  });

  test("T26 an entry that stands twice, or below a file, is refused", async () => {
    expect(await refused(zip([file("a"), file("a")]))).toBe(entry("a", "stands twice in the archive"));
    expect(await refused(zip([file("a"), file("a/b")]))).toBe(
      entry("a/b", 'lies below "a", which is no folder'),
    );
    expect(await refused(zip([file("a/b"), file("a")]))).toBe(entry("a", "stands twice in the archive"));
  });
});

describe("links in a zip", () => {
  const link = (name: string, data: string): ZipPart => ({ name, data, mode: 0o120777 });
  const leaves = "is a link that leaves the archive's folder";

  test("T26 a link to outside is refused, directly and through another link", async () => {
    expect(await refused(zip([link("l", "/etc/passwd")]))).toBe(entry("l", leaves));
    expect(await refused(zip([link("a/l", "../../x")]))).toBe(entry("a/l", leaves));
    expect(await refused(zip([link("a/here", "."), link("l", "a/here/../../x")]))).toBe(entry("l", leaves));
    expect(await refused(zip([link("l", "..\\x")]))).toBe(entry("l", leaves));
    expect(await refused(zip([link("l", "")]))).toBe(entry("l", "is a link to nothing"));
  });

  test("T26 a loop of links is refused", async () => {
    expect(await refused(zip([link("a", "b"), link("b", "a")]))).toBe(
      entry("a", "is a link that leads back to itself"),
    );
  });

  test("T26 nothing is written through a link", async () => {
    expect(await refused(zip([link("out", "."), file("out/x")]))).toBe(
      entry("out/x", 'lies below "out", which is no folder'),
    );
    expect(await refused(zip([file("out/x"), link("out", "/tmp")]))).toBe(
      entry("out", "stands twice in the archive"),
    );
  });

  test("T26 devices, FIFOs and sockets are refused", async () => {
    for (const type of [0o010000, 0o020000, 0o060000, 0o140000]) {
      expect(await refused(zip([file("dev", { mode: type | 0o644 })]))).toBe(
        entry("dev", "is a device, a FIFO or a socket"),
      );
    }
  });
});

describe("zips that tell two stories", () => {
  const different = "is described differently in the directory and before its data";

  test("T26 a local header that differs from the directory is refused", async () => {
    expect(await refused(zip([file("good", { localName: "evil" })]))).toBe(entry("good", different));
    expect(await refused(zip([file("a", { localSize: 3 })]))).toBe(entry("a", different));
    expect(await refused(zip([file("a", { localFlags: 0x0000 })]))).toBe(entry("a", different));
  });

  test("T26 sizes behind the data that differ from the directory are refused", async () => {
    expect(await refused(zip([file("a", { descriptor: "signed", descriptorSize: 1 })]))).toBe(
      entry("a", "is described differently in the directory and behind its data"),
    );
  });

  test("T26 overlapping entries and hidden data are refused", async () => {
    const one = zip([file("a")]);
    expect(await refused(zip([file("a"), file("b", { offset: 0 })]))).toContain("overlaps another entry");
    expect(await refused(zip([file("a", { gap: "hidden" }), file("b")]))).toBe(
      entry("a", "overlaps another entry, or hides data behind it"),
    );
    expect(await refused(zip([file("a")], { before: "#!/bin/sh\n" }))).toContain(
      "neither a .zip nor a .tar.gz",
    );
    expect(await refused(zip([file("a")], { before: "PK\u0003\u0004" }))).toContain("hides data before it");
    expect(await refused(zip([file("a")], { beforeEnd: "hidden" }))).toBe(
      whole("has data between its directory and its end"),
    );
    expect(await refused(zip([file("a")], { after: "hidden" }))).toBe(
      whole("is cut off, or has data behind its end"),
    );
    expect(await refused(one.subarray(0, one.length - 4))).toBe(
      whole("is cut off, or has data behind its end"),
    );
    expect(await refused(zip([file("a", { behind: "hidden" })]))).toBe(
      entry("a", "hides data behind its content"),
    );
  });

  test("T26 two ends in one file are refused", async () => {
    expect(await refused(zip([file("a")], { comment: zip([]) }))).toBe(whole("has two ends"));
  });

  test("T26 a wrong count of entries is refused", async () => {
    expect(await refused(zip([file("a"), file("b")], { count: 1 }))).toBe(whole("has 2 entries but says 1"));
  });

  test("T26 a wrong check sum and damaged data are refused", async () => {
    expect(await refused(zip([file("a", { crc: 1 })]))).toBe(
      entry("a", "does not have the check sum that it declares"),
    );
    expect(await refused(zip([file("a", { stored: true, method: 8 })]))).toBe(
      entry("a", "cannot be unpacked: its data is damaged"),
    );
  });

  test("T26 encrypted entries, other methods and Zip64 are refused", async () => {
    for (const flags of [0x0801, 0x0841, 0x2801])
      expect(await refused(zip([file("a", { flags })]))).toBe(entry("a", "is encrypted or patched"));
    expect(await refused(zip([file("a", { method: 12 })]))).toBe(
      entry("a", "is packed by method 12, which gum does not read"),
    );
    expect(await refused(zip([file("a", { size: 0xffff_ffff })]))).toContain("uses Zip64");
    expect(await refused(zip([file("a")], { count: 0xffff }))).toContain("uses Zip64");
  });
});

describe("zip bombs", () => {
  const limits = { ...unpackLimits, ratioFrom: 100_000, bytes: 2_000_000, entries: 10 };
  const zeros = (length: number) => new Uint8Array(length);

  test("T26 content that is too large, too dense or too much is refused", async () => {
    expect(await refused(zip([{ name: "bomb", data: zeros(500_000) }]), limits)).toBe(
      entry("bomb", "makes the content more than 200 times as large as the archive"),
    );
    expect(await refused(zip([{ name: "big", data: zeros(2_000_001), stored: true }]), limits)).toBe(
      entry("big", "makes the content larger than 2000000 bytes"),
    );
    const many = Array.from({ length: 11 }, (_, at) => file(`f${at}`));
    expect(await refused(zip(many), limits)).toBe(whole("has more than 10 entries"));
  });

  test("T26 an entry that holds more or less than it declares is stopped at its declared size", async () => {
    const more = zip([{ name: "liar", data: zeros(200_000), size: 10 }]);
    expect(await refused(more)).toBe(entry("liar", "holds more than the 10 bytes that it declares"));
    const less = zip([{ name: "liar", data: "ab", size: 10 }]);
    expect(await refused(less)).toBe(entry("liar", "holds fewer than the 10 bytes that it declares"));
  });

  test("T26 what is no archive is a source that cannot be read", async () => {
    expect(await refused(new TextEncoder().encode("<html>"))).toBe(
      "PLUGIN_FETCH_FAILED: The source is neither a .zip nor a .tar.gz file.",
    );
    expect(await refused(zip([]))).toBe(whole("is empty"));
  });
});
