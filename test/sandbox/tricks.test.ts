import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { kernelFacts } from "../../src/sandbox/kernel-facts.ts";
import { type Bench, makeBench } from "./bench.ts";

let bench: Bench;
let server: Server;
let connections = 0;
beforeAll(async () => {
  bench = makeBench();
  writeFileSync(`${bench.home}/secret`, "secret\n", { mode: 0o600 });
  copyFileSync(new URL("../probes/tricks.py", import.meta.url).pathname, `${bench.root}/tricks.py`);
  server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(`${bench.base}/socket`, resolve));
});
afterAll(() => {
  server.close();
  bench.remove();
});

const argv = () =>
  ["/usr/bin/python3", `${bench.root}/tricks.py`, `${bench.base}/socket`, `${bench.home}/secret`] as const;
const native = process.arch === "x64";
const sigsys = 31;

describe.skipIf(process.platform !== "linux" || !existsSync("/usr/bin/python3"))("T20 tricks", () => {
  test("T20 no trick of several calls gets out", async () => {
    const before = connections;
    const { landlockAbi } = await kernelFacts(bench.host);
    const { out, err } = await bench.run(argv(), { byPath: true });
    expect(err).toBe("");
    const lines = out.trim().split("\n");
    expect(lines.slice(0, 9)).toEqual([
      "connect by a unix socket EPERM",
      "connect by a pair EISCONN",
      "connect by disconnecting a pair EINVAL",
      "connect by standard input EISCONN",
      "read by a path descriptor EACCES",
      "read by a folder descriptor EACCES",
      "read by /proc/1/root EACCES",
      "write /proc/self/oom_score_adj EACCES",
      landlockAbi >= 6 ? "signal gum EPERM" : "signal gum works",
    ]);
    if (native) {
      expect(lines.slice(9)).toEqual([
        `the gate of i386 ends by ${sigsys}`,
        `the table of x32 ends by ${sigsys}`,
      ]);
    }
    expect(connections).toBe(before);
  });

  test("T20 control: without the sandbox the same tricks read, write, signal and connect", async () => {
    const before = connections;
    const { out } = await bench.free(argv());
    const lines = out.trim().split("\n");
    expect([lines[0], ...lines.slice(4, 6), ...lines.slice(7, 9)]).toEqual([
      "connect by a unix socket works",
      "read by a path descriptor works",
      "read by a folder descriptor works",
      "write /proc/self/oom_score_adj works",
      "signal gum works",
    ]);
    expect(connections).toBeGreaterThan(before);
  });
});
