import { expect, test } from "bun:test";
import { isErrno } from "../../src/base/errors.ts";
import { createFakeHost } from "./fake-host.ts";

async function codeOf(action: Promise<unknown>): Promise<string | undefined> {
  try {
    await action;
  } catch (error) {
    return ["ENOENT", "EEXIST", "ELOOP", "EFBIG", "ENOTDIR", "EISDIR", "ENOTEMPTY", "EINVAL"].find((code) =>
      isErrno(error, code),
    );
  }
  return undefined;
}

test("the files of the fake host follow links, refuse loops and keep modes", async () => {
  const { files } = createFakeHost({
    files: {
      "/a/b/file": "text",
      "/a/link": { link: "b/../b/file" },
      "/a/loop": { link: "loop" },
      "/a/up": { link: ".." },
    },
  });
  expect(await files.readText("/a/link")).toBe("text");
  expect(await files.readText("/a/up/a/b/file")).toBe("text");
  expect(await files.realpath("/a/up/a/link")).toBe("/a/b/file");
  expect((await files.lstat("/a/link")).kind).toBe("link");
  expect(await codeOf(files.readText("/a/loop"))).toBe("ELOOP");
  expect(await codeOf(files.readText("/a/link", { noFollow: true }))).toBe("ELOOP");
  expect(await codeOf(files.readText("/a/link", { maxBytes: 3 }))).toBe("EFBIG");
  expect(await codeOf(files.readText("/a/b"))).toBe("EISDIR");
  expect(await codeOf(files.readText("/a/b/file/more"))).toBe("ENOTDIR");
  await files.chmod("/a/link", 0o4711);
  expect((await files.stat("/a/b/file")).mode).toBe(0o4711);
});

test("the files of the fake host rename, link and remove as a file system does", async () => {
  const { files } = createFakeHost({ files: { "/x/one": "1", "/x/two": "2", "/y/full/f": "", "/z/": "" } });
  expect(await codeOf(files.writeNew("/x/one", "", { mode: 0o600 }))).toBe("EEXIST");
  await files.rename("/x/one", "/x/two");
  expect(await files.readText("/x/two")).toBe("1");
  expect(await codeOf(files.rename("/x", "/y/full"))).toBe("ENOTEMPTY");
  expect(await codeOf(files.rename("/y", "/y/full/inside"))).toBe("EINVAL");
  await files.link("/x/two", "/x/hard");
  expect((await files.stat("/x/two")).nlink).toBe(2);
  await files.replace("/x/two", "3", { mode: 0o600 });
  expect(await files.readText("/x/hard")).toBe("1");
  await files.symlink("/y/full", "/z/link");
  await files.removeTree("/z");
  await files.removeTree("/z");
  expect(await codeOf(files.unlink("/y/full"))).toBe("EISDIR");
  expect(files.snapshot()).toEqual({
    "/home": undefined,
    "/home/user": undefined,
    "/tmp": undefined,
    "/x": undefined,
    "/x/hard": "1",
    "/x/two": "3",
    "/y": undefined,
    "/y/full": undefined,
    "/y/full/f": "",
  });
});

test("a lock of the fake host is exclusive until it is released", async () => {
  const { files } = createFakeHost();
  const first = await files.lock("/tmp/lock", { waitMs: 0 });
  expect(first).toBeDefined();
  expect(await files.lock("/tmp/lock", { waitMs: 10 })).toBeUndefined();
  expect(await files.lock("/tmp/lock", { waitMs: 0, shared: true })).toBeUndefined();
  await first?.describe("pid 1");
  await first?.release();
  expect(await files.readText("/tmp/lock")).toBe("pid 1");
  expect(await files.lock("/tmp/lock", { waitMs: 0, shared: true })).toBeDefined();
  expect(await files.lock("/tmp/lock", { waitMs: 0, shared: true })).toBeDefined();
});

test("an open file of the fake host keeps its content after the path leads elsewhere", async () => {
  const { files } = createFakeHost({ files: { "/f": "old", "/g": "new" } });
  const open = await files.open("/f", "read-no-follow");
  await files.rename("/g", "/f");
  expect(await files.readText("/f")).toBe("new");
  expect(await open.sha256()).toBe("cba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4");
  await open.close();
});
