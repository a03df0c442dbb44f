// Builds that take a while: refusals of offline builds, and real packages of the index.
import { describe, expect, test } from "bun:test";
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { installFrom, scratch, stagedIn } from "../../test/kernel/scratch.ts";
import { pythonProject } from "../../test/source/python-project.ts";
import { refusalOf } from "../../test/steps/run-step.ts";

describe("a Python project", () => {
  test("T10 a lock with another hash is refused", async () => {
    using home = scratch();
    const lock = `greeter==1.0 --hash=sha256:${"0".repeat(64)}\n`;
    const project = pythonProject(join(home.folder, "project"), { lock });
    const error = await refusalOf(async () => installFrom(await home.kernel(), project));
    expect([error.code, error.message]).toEqual([
      "PLUGIN_BUILD_FAILED",
      expect.stringContaining("installing the locked packages failed"),
    ]);
  }, 30_000);

  test("T10 a build that leaves a link to outside is refused", async () => {
    using home = scratch();
    const duringBuild = [
      "import os, sys",
      "os.symlink('/etc/passwd', os.path.join(sys.prefix, 'lib', 'out'))",
    ].join("\n");
    const project = pythonProject(join(home.folder, "project"), { duringBuild });
    const error = await refusalOf(async () => installFrom(await home.kernel(), project));
    expect(`${error.code}: ${error.message}`).toBe(
      'PLUGIN_BUILD_FAILED: The environment of "hello" holds "lib/out", a link that leaves it.',
    );
    expect(existsSync(join(home.dataDir, "plugins/hello"))).toBe(false);
  }, 30_000);

  test("P15 an abort ends the build and undoes it", async () => {
    using home = scratch();
    const stop = new AbortController();
    const project = pythonProject(join(home.folder, "project"), {
      duringBuild: "import time\ntime.sleep(60)",
    });
    const kernel = await home.kernel({ signal: stop.signal });
    const running = installFrom(kernel, project);
    let over = false;
    running.catch(() => {
      over = true;
    });
    // The project itself is being installed once the environment has its python.
    while (!over && globSync(join(home.dataDir, "plugins/hello/*/.gum-env/bin/python")).length === 0)
      await Bun.sleep(20);
    stop.abort(new Error("stopped by the test"));
    await running.catch(() => undefined);
    expect(running).rejects.toThrow("stopped by the test");
    expect(existsSync(join(home.dataDir, "plugins/hello"))).toBe(false);
    expect(stagedIn(home)).toEqual([]);
  }, 30_000);
});
