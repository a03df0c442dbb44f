// The author guide's Python plugin with its real dependencies. Needs the network and the package index.
import { expect, test } from "bun:test";
import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { callTool } from "../../src/kernel/call.ts";
import { findProgram } from "../../src/source/find-program.ts";
import { installFrom, type Scratch, scratch } from "../../test/kernel/scratch.ts";
import { lockOf, network, project, python } from "./author-guide.ts";

async function installedAndCalled(home: Scratch, folder: string) {
  const kernel = await home.kernel();
  const answer = await installFrom(kernel, folder);
  expect(answer.quarantine).toBeNull();
  const call = {
    op: "plug.hello.hello",
    args: { name: "world" },
    confirmation: { kind: "flag", yes: false },
  } as const;
  const { payload } = await callTool(kernel, call);
  return { payload, note: answer.steps.find(({ step }) => step === "build-env")?.note };
}

const greeting = { success: true, data: { greeting: "Hello, world!" } };

test("T10 the author guide's plugin installs by pip from a lock with hashes, and answers without a network", async () => {
  using home = scratch({ ...network, PATH: withoutUv() });
  const lock = await lockOf(home, "mcp>=1.0.0,<2");
  expect(lock.split("\n").length).toBeGreaterThan(10);
  const { payload, note } = await installedAndCalled(
    home,
    project(join(home.folder, "p"), { "requirements.lock": lock }),
  );
  expect(payload).toEqual(greeting);
  expect(note).toStartWith("pip, python 3.");
}, 300_000);

test("T10 the same by uv, which is used when it is on the PATH", async () => {
  using home = scratch(network);
  await python(home, "-m", "pip", "install", "--quiet", "--target", join(home.folder, "tools"), "uv");
  const uv = join(home.folder, "tools/bin");
  expect(readdirSync(uv)).toContain("uv");
  chmodSync(join(uv, "uv"), 0o755);
  using withUv = scratch({ ...network, PATH: `${uv}:${process.env.PATH}` });
  expect(await findProgram(withUv.host, "uv")).toBe(join(uv, "uv"));
  const { payload, note } = await installedAndCalled(withUv, project(join(withUv.folder, "p")));
  expect(payload).toEqual(greeting);
  expect(note).toStartWith("uv, python 3.");
}, 300_000);

/** The PATH without folders that have a uv. */
function withoutUv(): string {
  const folders = (process.env.PATH ?? "").split(":");
  return folders.filter((folder) => Bun.which("uv", { PATH: folder }) === null).join(":");
}
