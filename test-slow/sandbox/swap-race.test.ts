import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { buildImage } from "../../src/host/native/elf.ts";
import { knownArch } from "../../src/host/native/numbers.ts";
import { launch } from "../../src/sandbox/launch.ts";
import { type Bench, makeBench } from "../../test/sandbox/bench.ts";

let bench: Bench;
beforeAll(() => {
  bench = makeBench();
});
afterAll(() => bench.remove());

/** Two programs that tell by their exit which one ran, swapped at one path by another process all the time. */
async function withSwapper(use: (path: string, exitOf: Map<string, number>) => Promise<void>): Promise<void> {
  const arch = knownArch(process.arch);
  if (arch === undefined) throw new Error("no such architecture");
  const exitOf = new Map<string, number>();
  for (const [name, code] of [
    ["honest", 10],
    ["evil", 20],
  ] as const) {
    const { bytes } = buildImage([{ name: "end", call: "exit_group", args: [code], expect: "any" }], arch);
    writeFileSync(`${bench.root}/${name}`, bytes, { mode: 0o755 });
    exitOf.set(new Bun.CryptoHasher("sha256").update(bytes).digest("hex"), code);
  }
  const swap = `const { linkSync, renameSync } = require("node:fs"); const end = Date.now() + 280_000;
    while (Date.now() < end) for (const name of ["evil", "honest"]) { linkSync(name, "next"); renameSync("next", "program"); }`;
  const swapper = Bun.spawn([process.execPath, "-e", swap], { cwd: bench.root });
  try {
    const path = `${bench.root}/program`;
    while (!(await Bun.file(path).exists())) await Bun.sleep(1);
    await use(path, exitOf);
  } finally {
    swapper.kill("SIGKILL");
    await swapper.exited;
  }
}

interface Race {
  readonly tries: number;
  readonly other: number;
}

/** How often something else ran than what had been hashed. */
async function race(
  path: string,
  exitOf: Map<string, number>,
  most: number,
  byDescriptor: boolean,
): Promise<Race> {
  const policy = await bench.policy();
  let other = 0;
  for (let tries = 1; tries <= most; tries++) {
    const executable = await bench.host.files.open(path, "read");
    const hashed = exitOf.get(await executable.sha256());
    const program = { path, argv: [path], env: {}, cwd: bench.data };
    const plugin = await launch(bench.host, policy, {
      ...program,
      executable: byDescriptor ? executable : undefined,
    });
    await executable.close();
    const { code } = await plugin.exited;
    if (code !== hashed) other++;
    if (!byDescriptor && other > 0) return { tries, other };
  }
  return { tries: most, other };
}

test("T30 in 10,000 races nothing runs but what was hashed, while starting by path loses", async () => {
  await withSwapper(async (path, exitOf) => {
    const control = await race(path, exitOf, 2000, false);
    expect(control.other).toBe(1);
    expect(await race(path, exitOf, 10_000, true)).toEqual({ tries: 10_000, other: 0 });
  });
}, 300_000);
