import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import type { Confined } from "../../src/sandbox/launch.ts";
import { type Bench, eventually, isRunning, makeBench } from "./bench.ts";

let bench: Bench;
beforeAll(() => {
  bench = makeBench();
});
afterAll(() => bench.remove());

const shell = (script: string): [string, string, string] => ["/bin/sh", "-c", script];
/** A number of seconds that no other process sleeps. */
let next = 0;
const marker = () => `${100_000 + process.pid}.${1000 + next++}`;
const gone = (text: string) => eventually(async () => !(await isRunning(bench.host, text)));

/** Waits for a line on stdout. */
async function line(confined: Confined): Promise<string> {
  for await (const block of confined.stdout.iterator({ destroyOnReturn: false })) return String(block).trim();
  return "";
}

describe.skipIf(process.platform !== "linux")("T24 the whole tree ends", () => {
  test("T24 when the session is ended, with children that asked for a session of their own", async () => {
    const mark = marker();
    const confined = await bench.start(shell(`setsid sleep ${mark} & sleep ${mark} & echo ready; wait`));
    expect(await line(confined)).toBe("ready");
    expect(await isRunning(bench.host, mark)).toBe(true);
    confined.end();
    confined.end();
    expect((await confined.exited).signal).toBe("SIGKILL");
    expect(await gone(mark)).toBe(true);
  });

  test("T24 when the plugin itself ends and leaves children behind", async () => {
    const mark = marker();
    const confined = await bench.start(shell(`sleep ${mark} >/dev/null 2>&1 & exit 7`));
    expect((await confined.exited).code).toBe(7);
    expect(await gone(mark)).toBe(true);
  });

  test("T24 control: without the sandbox such children stay", async () => {
    const mark = marker();
    const { exit } = await bench.free(shell(`setsid sleep ${mark} >/dev/null 2>&1 & sleep 0.05; exit 7`));
    expect(exit.code).toBe(7);
    expect(await isRunning(bench.host, mark)).toBe(true);
    for (const name of await bench.host.files.list("/proc")) {
      const command = await bench.host.files.readText(`/proc/${name}/cmdline`).catch(() => "");
      if (command.includes(mark)) process.kill(Number(name), "SIGKILL");
    }
  });

  test("W4 asked to end, the plugin can answer, and its watchdog stays until it has", async () => {
    const mark = marker();
    const stubborn = `trap '' TERM; sleep ${mark} &`;
    const script = `${stubborn} trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.01; done`;
    const confined = await bench.start(shell(script));
    expect(await line(confined)).toBe("ready");
    confined.terminate();
    expect(await line(confined)).toContain("bye");
    expect((await confined.exited).code).toBe(3);
    expect(await gone(mark)).toBe(true);
  });

  test("W4 a plugin that ignores SIGTERM is ended all the same", async () => {
    const mark = marker();
    const confined = await bench.start(shell(`trap '' TERM; echo ready; sleep ${mark}; sleep ${mark}`));
    expect(await line(confined)).toBe("ready");
    confined.terminate();
    confined.end();
    expect((await confined.exited).signal).toBe("SIGKILL");
    expect(await gone(mark)).toBe(true);
  });

  test("T24 when gum is killed amid 50 plugins that fork", async () => {
    const mark = marker();
    const place = `${bench.base}/place`;
    mkdirSync(place);
    const probe = new URL("../probes/launch-many.ts", import.meta.url).pathname;
    const gum = Bun.spawn([process.execPath, probe, bench.base, "50", mark], {
      env: { ...process.env, XDG_CACHE_HOME: place },
      stdout: "pipe",
      timeout: 60_000,
    });
    const said = new TextDecoder().decode((await gum.stdout.getReader().read()).value);
    expect(said).toBe("50 running\n");
    expect(await isRunning(bench.host, mark)).toBe(true);
    // The watchdogs have the name of the program that they were forked from.
    expect(await isRunning(bench.host, place)).toBe(true);
    gum.kill("SIGKILL");
    await gum.exited;
    expect(await gone(mark)).toBe(true);
    expect(await gone(place)).toBe(true);
  }, 60_000);
});
