import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { type Bench, findDeno, makeBench } from "./bench.ts";

const deno = findDeno();
let bench: Bench;
beforeAll(() => {
  bench = makeBench();
  writeFileSync(`${bench.home}/secret`, "secret\n");
});
afterAll(() => bench.remove());

describe.skipIf(process.platform !== "linux")("the sandbox under another runtime", () => {
  const probe = new URL("../probes/under-another-runtime.ts", import.meta.url).pathname;
  const commands: [string, string[]][] = [["Bun", [process.execPath, probe]]];
  if (deno !== undefined) commands.push(["Deno", [deno, "run", "-A", "--no-remote", probe]]);

  for (const [name, command] of commands) {
    test(`T21 confines, tells and locks the same under ${name}`, async () => {
      const child = Bun.spawn([...command, bench.base], {
        env: { ...process.env, DENO_DIR: `${bench.base}/deno`, DENO_NO_UPDATE_CHECK: "1" },
        stdout: "pipe",
        stderr: "pipe",
        timeout: 60_000,
      });
      const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
      expect(out === "" ? err : JSON.parse(out)).toEqual({
        out: "through stdin\n",
        denied: true,
        code: 1,
        verdicts: ["denied"],
        locks: [true, false],
      });
    }, 60_000);
  }
});
