import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { roomParents, withRoom } from "../../../src/host/native/room.ts";
import { createHost } from "../../../src/host/real.ts";

const { files } = createHost();
let base = "";
beforeAll(() => {
  base = mkdtempSync(`${tmpdir()}/gum-room-`);
  for (const name of ["one", "two"]) mkdirSync(`${base}/${name}`);
});
afterAll(() => rmSync(base, { recursive: true }));

const errno = (code: string) => Object.assign(new Error(code), { code });

describe("a private folder for a moment", () => {
  test("is made where the user's own and the memory's folders come first", () => {
    expect(
      roomParents({ env: { XDG_RUNTIME_DIR: "/run/user/7", TMPDIR: "relative" }, home: "/home/ann" }),
    ).toEqual(["/run/user/7", "/dev/shm", "/tmp", "/var/tmp", "/home/ann"]);
  });

  test("is private and gone afterwards, also after a failure", async () => {
    const seen = await withRoom(files, [`${base}/one`], async (folder) => {
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      await files.writeNew(`${folder}/file`, "x", { mode: 0o600 });
      return folder;
    });
    expect(existsSync(seen)).toBe(false);
    const failure = withRoom(files, [`${base}/one`], () => Promise.reject(errno("EIO")));
    expect(await failure.catch((error: unknown) => error)).toMatchObject({ code: "EIO" });
    expect(readdirSync(`${base}/one`)).toEqual([]);
  });

  test("is made elsewhere when nothing can be executed there or it cannot be made, and stays there", async () => {
    const used: string[] = [];
    const use = async (folder: string) => {
      used.push(folder.slice(base.length, base.length + 4));
      if (folder.startsWith(`${base}/one`)) throw errno("EACCES");
      return "done";
    };
    const parents = [`${base}/absent`, `${base}/one`, `${base}/two`];
    expect(await withRoom(files, parents, use)).toBe("done");
    expect(await withRoom(files, parents, use)).toBe("done");
    expect(used).toEqual(["/one", "/two", "/two"]);
  });

  test("fails with the last reason when there is no place", async () => {
    const nowhere = withRoom(files, [`${base}/absent`], async () => "done");
    expect(await nowhere.catch((error: unknown) => error)).toMatchObject({ code: "ENOENT" });
    expect(await withRoom(files, [], async () => "done").catch((error: unknown) => error)).toMatchObject({
      code: "ENOENT",
    });
  });
});
