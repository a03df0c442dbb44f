import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The compiled gum that stories run. */
export const gumBinary = resolve(process.env.GUM_BIN ?? "dist/gum");

/** A new place for one story: a folder to work in, a home, and an environment that names nothing else. */
export interface Scratch {
  readonly root: string;
  readonly work: string;
  readonly home: string;
  readonly data: string;
  readonly config: string;
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
}

export function createScratch(): Scratch {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "gum-story-")));
  const [work, home] = [join(root, "work"), join(root, "home")];
  mkdirSync(work);
  mkdirSync(home);
  return {
    root,
    work,
    home,
    data: join(root, "data/gum/default"),
    config: join(root, "config/gum/default"),
    env: {
      HOME: home,
      XDG_CONFIG_HOME: join(root, "config"),
      XDG_DATA_HOME: join(root, "data"),
      XDG_CACHE_HOME: join(root, "cache"),
      // The plugins of these stories are scripts, and their interpreters are found here.
      PATH: process.env.PATH ?? "/usr/bin:/bin",
      LANG: "C.UTF-8",
    },
    remove: () => removeTree(root),
  };
}

/** Removes read-only folders too: install roots are written once and then closed. */
function removeTree(path: string): void {
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o700);
  rmSync(path, { recursive: true, force: true });
}
