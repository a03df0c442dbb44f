// A home with two plugins, for clients that nobody here wrote, which start the compiled gum by themselves.
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { installFrom, type Scratch, scratch } from "../../test/kernel/scratch.ts";

export const gumFile = resolve(process.env.GUM_BIN ?? join(import.meta.dir, "../../dist/gum"));

/** The home; its plugins are `hello` and `resources`. */
export async function homeForClients(): Promise<Scratch> {
  const home = scratch();
  const kernel = await home.kernel();
  for (const name of ["hello", "resources"]) await installFrom(kernel, home.plugin(name));
  return home;
}

/** Runs a program to its end; an error with what it said when it fails. */
export async function run(
  command: readonly string[],
  options: { cwd?: string; env?: Record<string, string>; timeoutMs?: number } = {},
): Promise<string> {
  const child = Bun.spawn([...command], {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.env === undefined ? {} : { env: options.env }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: options.timeoutMs ?? 60_000,
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed: ${err}${out}`);
  return out;
}

/** A folder that is made once per user and content of its recipe, and kept between runs. */
export async function madeOnce(
  name: string,
  recipe: readonly string[],
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const file of recipe) hasher.update(await Bun.file(file).text());
  const folder = join(
    tmpdir(),
    `gum-${name}-${process.getuid?.() ?? 0}-${hasher.digest("hex").slice(0, 12)}`,
  );
  if (existsSync(join(folder, "complete"))) return folder;
  const draft = `${folder}.${process.pid}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft);
  for (const file of recipe) cpSync(file, join(draft, file.split("/").at(-1) ?? ""));
  await make(draft);
  writeFileSync(join(draft, "complete"), "");
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
  return folder;
}
