import { afterAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { createScratch, gumBinary, type Scratch } from "../script/scratch.ts";

const deno = resolve("node_modules/deno/deno");
const deadlineMs = 60_000;

/** The same commands, one after the other, in two new places: what dist/gum says, the source under Deno says too. */
const commands = [
  ["version"],
  ["pipeline", "list"],
  ["pipeline", "show", "install"],
  ["pipeline", "show", "dispatch", "--json"],
  ["plugin", "validate", "hello"],
  ["plugin", "validate", "hello", "--json"],
  ["plugin", "validate", "nowhere"],
  ["plugin", "install", "hello", "--yes", "--trace"],
  ["plugin", "list"],
  ["plugin", "list", "--json"],
  ["plugin", "run", "hello", "hello", '{"name":"Ada"}'],
  ["plugin", "remove", "hello", "--yes"],
  ["plugin", "lsit"],
] as const;

const places: Readonly<Record<"compiled" | "deno", Scratch>> = {
  compiled: createScratch(),
  deno: createScratch(),
};
for (const { work } of Object.values(places))
  cpSync("examples/hello", join(work, "hello"), { recursive: true });

afterAll(() => {
  for (const place of Object.values(places)) place.remove();
});

describe.skipIf(!existsSync(deno))("the source under Deno (needs the deno package of this platform)", () => {
  for (const args of commands) {
    test(`answers \`gum ${args.join(" ")}\` as the compiled gum does`, async () => {
      const compiled = await run([gumBinary], args, places.compiled);
      const source = await run(
        [deno, "run", "-A", "--no-remote", "--node-modules-dir=manual", resolve("src/main.ts")],
        args,
        places.deno,
      );
      expect(source).toEqual(compiled);
      expect(source.stdout + source.stderr).not.toBe("");
    });
  }
});

async function run(program: readonly string[], args: readonly string[], scratch: Scratch) {
  const child = Bun.spawn([...program, ...args], {
    cwd: scratch.work,
    env: { ...scratch.env, DENO_DIR: join(scratch.root, "deno"), DENO_NO_UPDATE_CHECK: "1" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: deadlineMs,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, stdout: steady(stdout, scratch), stderr: steady(stderr, scratch) };
}

/** Without what differs from run to run: times and the place itself. */
function steady(text: string, { root }: Scratch): string {
  return text.replaceAll(root, "$ROOT").replace(/ +\d+(?:\.\d+)? ms/g, " … ms");
}
