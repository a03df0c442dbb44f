import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { roomParents, withRoom } from "../../../src/host/native/room.ts";
import { createHost } from "../../../src/host/real.ts";

const { files } = createHost();
let base = "";
beforeAll(() => {
  base = mkdtempSync(`${tmpdir()}/gum-room-`);
  for (const name of ["one", "two"]) mkdirSync(`${base}/${name}`);
  writeFileSync(`${base}/file`, "");
});
afterAll(() => rmSync(base, { recursive: true }));

const errno = (code: string) => Object.assign(new Error(code), { code });

describe("a private folder for a moment", () => {
  test("T30 is made in gum's own folders, which no grant can open", () => {
    const env = { XDG_RUNTIME_DIR: "/run/user/7", TMPDIR: "/tmp", XDG_DATA_HOME: "relative" };
    expect(roomParents({ env, home: "/home/ann" })).toEqual([
      "/home/ann/.cache/gum/run",
      "/home/ann/.local/share/gum/run",
    ]);
    expect(roomParents({ env: { XDG_CACHE_HOME: "/c/", XDG_DATA_HOME: "/d" }, home: "/" })).toEqual([
      "/c/gum/run",
      "/d/gum/run",
    ]);
  });

  test("T21 what a killed gum left there is swept away by the next, and what is in use stays", async () => {
    const parent = `${base}/swept`;
    for (const name of ["gum-old", "gum-young", "other"]) mkdirSync(`${parent}/${name}`, { recursive: true });
    const lstat: typeof files.lstat = async (path) => {
      const facts = await files.lstat(path);
      return path.endsWith("/gum-young") ? facts : { ...facts, ctimeNs: facts.ctimeNs - 61_000_000_000n };
    };
    await withRoom({ ...files, lstat }, [parent], async () => undefined);
    expect(readdirSync(parent).sort()).toEqual(["gum-young", "other"]);
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
    const parents = [`${base}/file/absent`, `${base}/one`, `${base}/two`];
    expect(await withRoom(files, parents, use)).toBe("done");
    expect(await withRoom(files, parents, use)).toBe("done");
    expect(used).toEqual(["/one", "/two", "/two"]);
  });

  test("fails with the last reason when there is no place", async () => {
    const nowhere = withRoom(files, [`${base}/file/absent`], async () => "done");
    expect(await nowhere.catch((error: unknown) => error)).toMatchObject({ code: "ENOTDIR" });
    expect(await withRoom(files, [], async () => "done").catch((error: unknown) => error)).toMatchObject({
      code: "ENOENT",
    });
  });
});
