import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A real repository on disk, made with the system's git and nobody's settings. */
export class Repository {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
    mkdirSync(path, { recursive: true });
    this.git("init", "--quiet", "--initial-branch=main");
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.path, name)), { recursive: true });
      writeFileSync(join(this.path, name), text);
    }
  }

  /** Commits everything there is; returns the commit. */
  commit(message = "change"): string {
    this.git("add", "--all", "--force");
    this.git(
      "-c",
      "user.name=t",
      "-c",
      "user.email=t@example.com",
      "commit",
      "--quiet",
      "--allow-empty",
      "-m",
      message,
    );
    return this.git("rev-parse", "HEAD");
  }

  git(...args: string[]): string {
    const { stdout, stderr, exitCode } = Bun.spawnSync(["git", ...args], {
      cwd: this.path,
      env: {
        PATH: process.env.PATH ?? "",
        HOME: this.path,
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
        GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
      },
      timeout: 20_000,
    });
    if (exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
    return stdout.toString().trim();
  }
}
