import { describe, expect, test } from "bun:test";
import { GumError } from "../../src/base/errors.ts";
import { parseSource, sourceName, sourceText } from "../../src/source/parse-source.ts";

const digest = "a".repeat(64);
const commit = "0123456789abcdef0123456789abcdef01234567";
const parse = (text: string, sha256?: string) => parseSource(text, { cwd: "/home/user", sha256 });

function refusal(text: string, sha256?: string) {
  try {
    parse(text, sha256);
  } catch (error) {
    if (error instanceof GumError) return { code: error.code, message: error.message, hint: error.info.hint };
    throw error;
  }
  throw new Error(`Nothing was refused: ${text}`);
}

describe("a source", () => {
  test("T11 is a folder when nothing else is named", () => {
    expect(parse("./hello")).toEqual({ kind: "folder", path: "/home/user/hello" });
    expect(parse("hello")).toEqual({ kind: "folder", path: "/home/user/hello" });
    expect(parse("/srv/x")).toEqual({ kind: "folder", path: "/srv/x" });
    expect(parse("./odd.zip/")).toEqual({ kind: "folder", path: "/home/user/odd.zip" });
    expect(parse("./@scope/name")).toEqual({ kind: "folder", path: "/home/user/@scope/name" });
  });

  test("T26 is an archive by its ending, with a digest or without", () => {
    for (const name of ["x.zip", "x.tar.gz", "x.tgz", "X.ZIP"])
      expect(parse(name)).toEqual({ kind: "archive", path: `/home/user/${name}`, sha256: undefined });
    expect(parse("x.zip", digest)).toEqual({ kind: "archive", path: "/home/user/x.zip", sha256: digest });
    expect(parse("x.zip", `SHA256:${"A".repeat(64)}`)).toMatchObject({ sha256: digest });
  });

  test("T26 is an address only with its digest, over http too", () => {
    expect(parse("https://example.com/x.zip?a=1#part", digest)).toEqual({
      kind: "url",
      url: "https://example.com/x.zip?a=1",
      sha256: digest,
    });
    expect(parse("http://example.com/x", digest).kind).toBe("url");
    for (const url of ["https://example.com/x.zip", "http://example.com/x.tgz"]) {
      expect(refusal(url)).toEqual({
        code: "USAGE",
        message: `An address needs the SHA-256 of its archive: "${url}".`,
        hint: "add --sha256 <64 hex digits>",
      });
    }
  });

  test("T33 is a repository only with a whole commit", () => {
    expect(parse(`git+https://example.com/a/b.git@${commit}`)).toEqual({
      kind: "git",
      url: "https://example.com/a/b.git",
      commit,
    });
    expect(parse(`git+file:///srv/r@${commit.toUpperCase()}`)).toEqual({
      kind: "git",
      url: "file:///srv/r",
      commit,
    });
    expect(parse(`git+ssh://git@example.com/a/b@${commit}`)).toMatchObject({
      url: "ssh://git@example.com/a/b",
    });
    for (const end of ["", "@main", "@v1.0", `@${commit.slice(1)}`, `@${commit}0`])
      expect(refusal(`git+https://example.com/a${end}`).message).toContain("needs the commit that is meant");
  });

  test("T33 a repository is reached over https, ssh or a file, and its address is no option", () => {
    for (const address of ["http://example.com/a", "git://example.com/a", "ext::sh -c touch% /tmp/x"])
      expect(refusal(`git+${address}@${commit}`).code).toBe("USAGE");
    for (const address of [
      "ssh://-oProxyCommand=x/a",
      "ssh://-x@example.com/a",
      "file://host/a",
      "--upload-pack=x",
    ])
      expect(refusal(`git+${address}@${commit}`).code).toBe("USAGE");
  });

  test("T17 an address with a password is refused, and the password is not repeated", () => {
    for (const text of [
      "https://user:hunter2@example.com/x.zip",
      "https://hunter2@example.com/x.zip",
      `git+https://hunter2@example.com/x@${commit}`,
      `git+ssh://git:hunter2@example.com/x@${commit}`,
      "https://user:hunter2@",
    ]) {
      const { code, message, hint } = refusal(text, text.startsWith("git+") ? undefined : digest);
      expect([code, `${message} ${hint}`.includes("hunter2")]).toEqual(["USAGE", false]);
    }
  });

  test("a digest where none can be, or that is none, is refused", () => {
    expect(refusal("./hello", digest).message).toBe('A folder has no SHA-256: "./hello".');
    expect(refusal(`git+https://example.com/a@${commit}`, digest).message).toContain(
      "its commit is the proof",
    );
    for (const bad of ["", "xyz", "a".repeat(63), "a".repeat(65)])
      expect(refusal("x.zip", bad).message).toBe("The value of --sha256 is not 64 hex digits.");
  });

  test("what other tools would understand is told apart, with what to write instead", () => {
    const says = (text: string) => refusal(text).message.split(":")[0];
    expect(says("npm:left-pad")).toBe("An npm package is not a source");
    expect(says("@scope/name")).toBe("An npm package is not a source");
    expect(says("@scope/name@1.2.3")).toBe("An npm package is not a source");
    expect(refusal("@scope/name").hint).toContain("npm pack");
    expect(says("pypi:requests")).toBe("A PyPI package is not a source");
    expect(says("github:owner/repo")).toBe("A short name of a repository is not a source");
    expect(says("docker:alpine")).toBe("A container image is not a source");
    expect(says("file:///srv/x")).toBe("A file is named by its path");
    expect(says("git@example.com:a/b.git")).toBe("A repository is named with git+ and a commit");
    expect(says("ftp://example.com/x")).toBe("gum fetches over https, http and git+https");
    expect(says("https://example.com/a.git")).toBe("A repository is named with git+ and a commit");
    for (const name of ["x.tar", "x.tar.xz", "x.7z", "x.whl", "x.rar"])
      expect(says(name)).toBe("gum does not unpack this kind of archive");
    for (const nothing of ["", "  ", "a\0b"]) expect(refusal(nothing).message).toBe("The source is empty.");
  });

  test("is named in full and in short", () => {
    const git = parse(`git+https://example.com/a/b.git@${commit}`);
    expect([sourceText(git), sourceName(git)]).toEqual([
      `git+https://example.com/a/b.git@${commit}`,
      "b.git",
    ]);
    const url = parse("https://example.com/d/x.zip", digest);
    expect([sourceText(url), sourceName(url)]).toEqual(["https://example.com/d/x.zip", "x.zip"]);
    expect([sourceText(parse("a/b")), sourceName(parse("a/b"))]).toEqual(["/home/user/a/b", "b"]);
  });
});
