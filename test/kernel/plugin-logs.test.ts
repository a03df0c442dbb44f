import { expect, test } from "bun:test";
import { pluginLogs } from "../../src/kernel/plugin-logs.ts";
import { setupPlugin } from "../../src/kernel/setup.ts";
import { refusalOf } from "../steps/run-step.ts";
import { callerIn, rewrite } from "./calls.ts";
import { example } from "./examples.ts";
import { installFrom, scratch } from "./scratch.ts";

const session = "good-session-4711/ü";
const apiKey = "good-api-key-0815";

test("T17 what is kept of stderr holds no value of a credential, as often as the plugin says it", async () => {
  using home = scratch();
  const { kernel, call } = await callerIn(home);
  await installFrom(kernel, home.plugin("two-keys"));
  const answers = [session, apiKey];
  await setupPlugin(kernel, "two-keys", {
    given: new Map(),
    fromEnvironment: false,
    ask: async () => answers.shift(),
  });
  expect((await call("plug.two-keys.whoami")).payload.success).toBe(true);
  const { lines } = await pluginLogs(kernel, "two-keys", 100);
  // The control: it did say something.
  expect(lines.join("\n")).toStartWith("starting with ");
  expect(lines.join("\n")).not.toContain("4711");
  expect(lines.join("\n")).not.toContain("0815");
});

test("W1 the stderr of a plugin on a line protocol is kept as well", async () => {
  using home = scratch();
  const { kernel, call } = await callerIn(home);
  const plugin = rewrite(example(home, "echo-jsonl"), (text) =>
    text.replace("import sys\n", 'import sys\nprint("hello from a line", file=sys.stderr, flush=True)\n'),
  );
  await installFrom(kernel, plugin);
  await call("plug.echo-jsonl.echo", { text: "x" });
  expect((await pluginLogs(kernel, "echo-jsonl", 5)).lines).toEqual(["hello from a line"]);
  expect((await refusalOf(() => pluginLogs(kernel, "../x", 5))).code).toBe("PLUGIN_NOT_FOUND");
});
