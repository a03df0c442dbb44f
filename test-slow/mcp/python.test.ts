import { expect, test } from "bun:test";
import { join } from "node:path";
import { gumFile, homeForClients, madeOnce, run } from "./home.ts";

/** A virtual environment with the Python SDK at its pinned version; it works where it was made. */
async function python(): Promise<string> {
  const folder = await madeOnce(
    "python-sdk",
    [join(import.meta.dir, "requirements.txt")],
    async () => undefined,
  );
  const program = join(folder, "venv/bin/python");
  if (await Bun.file(join(folder, "venv/complete")).exists()) return program;
  await run(["python3", "-m", "venv", join(folder, "venv")]);
  await run([program, "-m", "pip", "install", "--quiet", "-r", join(folder, "requirements.txt")], {
    timeoutMs: 180_000,
  });
  await Bun.write(join(folder, "venv/complete"), "");
  return program;
}

test("S10 the Python SDK's client lists, reads, fills in, completes and calls", async () => {
  using home = await homeForClients();
  const program = await python();
  const script = join(import.meta.dir, "client.py");
  const said = JSON.parse(await run([program, script, gumFile, home.host.machine.home]));
  expect(said.tools).toEqual([
    "gum.search",
    "gum.describe_op",
    "gum.read",
    "gum.write",
    "gum.destructive",
    "gum.plugins",
    "gum.canary",
  ]);
  expect(said.called).toMatchObject({
    content: [{ type: "text", text: '{"success":true,"data":{"greeting":"Hello, Ada!"}}' }],
    structuredContent: { success: true, data: { greeting: "Hello, Ada!" } },
    isError: false,
  });
  expect(said.wrong).toMatchObject({ structuredContent: { error_code: "INVALID_ARGS" }, isError: true });
  expect(said.resources).toContain("gum://plugin/resources/resource/note://one");
  expect(said.read.plugins.map(({ id }: { id: string }) => id)).toEqual(["hello", "resources"]);
  expect(said.prompts).toEqual(["plug.resources.greet"]);
  expect(said.prompt).toBe("Greet Ada");
  expect(said.completed).toEqual(["hello.hello", "resources.hello"]);
}, 240_000);
