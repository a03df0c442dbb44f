import { describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import type { Host } from "../../src/host/host.ts";
import { callTool } from "../../src/kernel/call.ts";
import { refusalOf } from "../steps/run-step.ts";
import { callerIn } from "./calls.ts";
import { installFrom, scratch } from "./scratch.ts";

const hello = "plug.hello.hello";
const ada = { name: "Ada" };
const greeting = { success: true, data: { greeting: "Hello, Ada!" } };

/** The same host on a disk that is full as soon as a row is written. */
function withFullDisk(host: Host): Host {
  return {
    ...host,
    files: {
      ...host.files,
      async open(path, how) {
        const file = await host.files.open(path, how);
        if (!path.endsWith("audit.jsonl") || how !== "append") return file;
        const write = () => Promise.reject(Object.assign(new Error("ENOSPC"), { code: "ENOSPC", path }));
        return { ...file, write, stat: () => file.stat(), close: () => file.close() };
      },
    },
  };
}

describe("an audit log that cannot be written", () => {
  test("R15 a call is refused before anything starts when its row could not be written", async () => {
    using home = scratch();
    const caller = await callerIn(home);
    await installFrom(caller.kernel, home.plugin("hello"));
    const log = join(home.dataDir, "audit.jsonl");
    renameSync(log, `${log}.kept`);
    mkdirSync(log);
    const before = caller.started();
    const error = await refusalOf(() => caller.call(hello, ada));
    expect([error.code, error.info.details?.errno]).toEqual(["REGISTRY_IO", "EISDIR"]);
    expect(caller.started()).toBe(before);
    // The control: with the log back, the same call starts the plugin.
    rmdirSync(log);
    renameSync(`${log}.kept`, log);
    expect((await caller.call(hello, ada)).payload).toEqual(greeting);
    expect(caller.started()).toBe(before + 1);
  });

  test("R15 an answer that has come is not lost when its row cannot be written: it comes with a warning", async () => {
    using home = scratch();
    const { kernel } = await callerIn(home);
    await installFrom(kernel, home.plugin("hello"));
    const warnings: string[] = [];
    const { payload } = await callTool(
      { ...kernel, host: withFullDisk(kernel.host) },
      { op: hello, args: ada, confirmation: { kind: "flag", yes: false } },
      ({ message }) => warnings.push(message),
    );
    expect(payload).toEqual(greeting);
    expect(warnings).toEqual([
      'audit: Cannot write the audit log in the registry of profile "default": ENOSPC.',
    ]);
  });
});
