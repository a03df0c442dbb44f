import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const here = import.meta.dir;

/** The servers of package-lock.json, installed once per user and lock into a folder that is kept between runs. */
export async function installedServers(): Promise<string> {
  const lock = await Bun.file(join(here, "package-lock.json")).text();
  const digest = new Bun.CryptoHasher("sha256").update(lock).digest("hex").slice(0, 12);
  const folder = join(tmpdir(), `gum-servers-${process.getuid?.() ?? 0}-${digest}`);
  if (existsSync(join(folder, "complete"))) return folder;
  const draft = `${folder}.${process.pid}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft);
  for (const name of ["package.json", "package-lock.json"]) cpSync(join(here, name), join(draft, name));
  const npm = Bun.spawn(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: draft,
    stdout: "ignore",
    stderr: "pipe",
    timeout: 120_000,
  });
  const said = await new Response(npm.stderr).text();
  if ((await npm.exited) !== 0) throw new Error(`Cannot install the servers: ${said}`);
  writeFileSync(join(draft, "complete"), "");
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
  return folder;
}
