import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { settleGrants } from "../../src/kernel/grants.ts";
import { scratch } from "./scratch.ts";

const none = { read: [], write: [], shm: false, capabilities: [] };

test("T35 nothing on the user's PATH, or that holds it, can be granted for writing, also behind a link", async () => {
  using home = scratch();
  const tools = join(home.folder, "work/tools");
  for (const name of ["work/tools", "work/other"]) mkdirSync(join(home.folder, name), { recursive: true });
  symlinkSync(tools, join(home.folder, "programs"));
  const kernel = await home.kernel();
  const settle = (folders: string, grants: { read?: string[]; write?: string[] }) => {
    const host = { ...kernel.host, env: { ...kernel.host.env, PATH: folders } };
    return settleGrants({ ...kernel, host }, { ...none, ...grants }).catch((error: unknown) => error);
  };
  for (const folders of [`/usr/bin:${tools}/`, `relative:${join(home.folder, "programs")}`]) {
    for (const path of [tools, join(home.folder, "work")]) {
      expect(await settle(folders, { write: [path] })).toMatchObject({ code: "POLICY_DENIED" });
    }
    expect(await settle(folders, { read: [tools] })).toMatchObject({ read: [tools] });
    const other = join(home.folder, "work/other");
    expect(await settle(folders, { write: [other] })).toMatchObject({ write: [other] });
  }
  expect(await settle("/usr/bin", { write: [tools] })).toMatchObject({ write: [tools] });
});

test("T35 the folder that plugins are installed in cannot be granted, wherever it is", async () => {
  using home = scratch();
  const pluginsDir = join(home.folder, "installed");
  mkdirSync(pluginsDir);
  const kernel = await home.kernel();
  const moved = { ...kernel, profile: { ...kernel.profile, pluginsDir } };
  for (const grants of [{ read: [pluginsDir] }, { write: [pluginsDir] }]) {
    const settled = settleGrants(moved, { ...none, ...grants }).catch((error: unknown) => error);
    expect(await settled).toMatchObject({ code: "POLICY_DENIED" });
    expect(await settleGrants(kernel, { ...none, ...grants })).toMatchObject(grants);
  }
});
