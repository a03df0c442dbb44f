// What the configuration says must reach the place where it counts.
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pack } from "../../src/kernel/pack.ts";
import { refusalOf } from "../steps/run-step.ts";
import { callerIn, rewrite } from "./calls.ts";
import { installFrom, type Scratch, scratch } from "./scratch.ts";

function configure(home: Scratch, text: string): void {
  const folder = join(home.folder, "home/.config/gum/default");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.toml"), text);
}

/** A plugin whose greeting is what its process may use. */
const telling = (home: Scratch): string =>
  rewrite(home.plugin("hello"), (text) =>
    text
      .replace("import sys\n", "import resource\nimport sys\n")
      .replace(
        'f"Hello, {name}!"',
        '" ".join(str(resource.getrlimit(one)[0]) for one in (resource.RLIMIT_DATA, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE, resource.RLIMIT_CPU))',
      ),
  );

async function limitsIn(home: Scratch): Promise<unknown> {
  const caller = await callerIn(home);
  await installFrom(caller.kernel, telling(home));
  const { payload } = await caller.call("plug.hello.hello", { name: "Ada" });
  return payload;
}

describe("limits of the configuration", () => {
  test("T23 the operator's limits are those of the plugin's process; CPU time is for one-shot processes alone", async () => {
    using home = scratch();
    configure(
      home,
      "[limits]\ndata_bytes = 1073741824\nfile_bytes = 4096\nopen_files = 200\ncpu_seconds = 7\n",
    );
    expect(await limitsIn(home)).toEqual({ success: true, data: { greeting: "1073741824 4096 200 -1" } });
    // The control: without them, the defaults.
    using plain = scratch();
    expect(await limitsIn(plain)).toEqual({
      success: true,
      data: { greeting: "4294967296 2147483648 4096 -1" },
    });
  });

  test("T5 a plugin with more files or bytes than the configuration allows is neither installed nor packed", async () => {
    for (const limit of ["max_files = 2", "max_bytes = 100"]) {
      using home = scratch();
      configure(home, `[plugins]\n${limit}\n`);
      const kernel = await home.kernel();
      const source = home.plugin("hello");
      expect((await refusalOf(() => installFrom(kernel, source))).code).toBe("PLUGIN_ARCHIVE_UNSAFE");
      expect((await refusalOf(() => pack(kernel, source, {}))).code).toBe("PLUGIN_ARCHIVE_UNSAFE");
      configure(home, "");
      const roomy = await home.kernel();
      expect((await pack(roomy, source, {})).ok).toBe(true);
      await installFrom(roomy, source);
    }
  });

  test("R10 as many generations are kept as the configuration says", async () => {
    using home = scratch();
    configure(home, "[generations]\nkeep = 1\n");
    for (let count = 0; count < 3; count++) await installFrom(await home.kernel(), home.plugin("hello"));
    const kept = readdirSync(join(home.dataDir, "generations")).length;
    configure(home, "");
    for (let count = 0; count < 3; count++) await installFrom(await home.kernel(), home.plugin("hello"));
    expect(readdirSync(join(home.dataDir, "generations")).length).toBeGreaterThan(kept + 1);
  });
});
