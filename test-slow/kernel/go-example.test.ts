import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { callerIn } from "../../test/kernel/calls.ts";
import { example, granting } from "../../test/kernel/examples.ts";
import { installFrom, scratch } from "../../test/kernel/scratch.ts";
import { failureOf } from "../../test/wire/start.ts";

const go = Bun.which("go");
const deadlineMs = 180_000;

test.skipIf(go === null)(
  "W16 examples/echo-handshake in Go is installed, and answers as the one in Python does",
  async () => {
    using home = scratch();
    const caller = await callerIn(home);
    const plugin = example(home, "echo-handshake");
    rmSync(join(plugin, "bin/echo-handshake"));
    const env = {
      PATH: process.env.PATH,
      HOME: home.folder,
      GOCACHE: join(home.folder, "go-cache"),
      GOTOOLCHAIN: "local",
      CGO_ENABLED: "0",
    };
    const words = [go ?? "", "build", "-o", "../bin/echo-handshake", "."];
    const built = Bun.spawnSync(words, { cwd: join(plugin, "go"), env, timeout: deadlineMs });
    expect([built.exitCode, built.stderr.toString()]).toEqual([0, ""]);
    await installFrom(caller.kernel, plugin, granting("text.echo"));
    expect((await caller.call("plug.echo-handshake.echo", { text: "hello" })).payload).toEqual({
      success: true,
      data: { text: "hello" },
      metadata: { length: 5 },
    });
    const refused = await failureOf(caller.call("plug.echo-handshake.echo", {}));
    expect([refused.code, refused.info.sourceErrorCode]).toEqual(["INVALID_ARGS", "invalid_input"]);
  },
  deadlineMs,
);
