// The largest floods through the whole dispatch pipeline: what a plugin sends is bounded, whatever it sends.
import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { callerIn, rewrite } from "../../test/kernel/calls.ts";
import { leftOf } from "../../test/kernel/processes.ts";
import { installFrom, type Scratch, scratch } from "../../test/kernel/scratch.ts";
import { refusalOf } from "../../test/steps/run-step.ts";

const deadlineMs = 90_000;
const mib = 2 ** 20;

/** Answers by writing code of the test's own. */
async function withTool(home: Scratch, code: string) {
  const caller = await callerIn(home);
  const plugin = rewrite(home.plugin("huge-line"), (text) =>
    text.replace(/def call_tool\(id, params\):\n.*\n/, `def call_tool(id, params):\n${code}\n`),
  );
  await installFrom(caller.kernel, plugin);
  return caller;
}

/** The most memory that this process had while the work went on, beyond what it had before. */
async function growthOf(work: () => Promise<unknown>): Promise<number> {
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 10);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return (most - before) / mib;
}

test(
  "W2 a line of 1 GB is malformed, costs gum no more than the longest line it takes, and leaves nothing",
  async () => {
    using home = scratch();
    const caller = await withTool(
      home,
      '    block = "x" * (1 << 20)\n    for _ in range(1000):\n        sys.stdout.write(block)',
    );
    const growth = await growthOf(async () => {
      const error = await refusalOf(() => caller.call("plug.huge-line.fill", {}));
      expect([error.code, error.info.details?.cause]).toEqual(["SERVICE_DOWN", "message_malformed"]);
    });
    expect(growth).toBeLessThan(128);
    expect(await leftOf(home.folder)).toEqual([]);
  },
  deadlineMs,
);

test(
  "W1 100 MB of stderr within a call are read and thrown away, and the last 64 KiB are kept",
  async () => {
    using home = scratch();
    const caller = await withTool(
      home,
      '    for n in range(100_000):\n        sys.stderr.write(f"{n:06} " + "e" * 1016 + "\\n")\n    text(id, {"success": True, "data": "said"})',
    );
    const growth = await growthOf(async () => {
      expect((await caller.call("plug.huge-line.fill", {})).payload.data).toBe("said");
    });
    expect(growth).toBeLessThan(128);
    const kept = join(caller.kernel.profile.cacheDir, "logs/huge-line.log");
    expect(statSync(kept).size).toBeLessThanOrEqual(64 * 1024);
    expect((await Bun.file(kept).text()).trimEnd().split("\n").at(-1)).toStartWith("099999 ");
    expect(await leftOf(home.folder)).toEqual([]);
  },
  deadlineMs,
);
