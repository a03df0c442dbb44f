// Plugins that misbehave, through the whole dispatch pipeline: the code, the cause, and nothing left running. The same
// plugins are looked at from nearby in test/wire; the largest floods are in test-slow/calls.
import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { callTool } from "../../src/kernel/call.ts";
import type { Kernel } from "../../src/kernel/kernel.ts";
import { openServer } from "../../src/kernel/server.ts";
import type { CallRequest } from "../../src/model/call.ts";
import { refusalOf } from "../steps/run-step.ts";
import { callerIn, rewrite } from "./calls.ts";
import { leftOf, processesOf } from "./processes.ts";
import { installFrom, type Scratch, scratch } from "./scratch.ts";

const request = (op: string, args: CallRequest["args"] = {}, timeoutMs?: number): CallRequest => ({
  op,
  args,
  timeoutMs,
  confirmation: { kind: "flag", yes: false },
});

interface Failing {
  readonly title: string;
  /** Python that runs in the plugin before it serves; for the rest it is test/plugins/hello. */
  readonly code: string;
  readonly expected: readonly [code: string, cause: string];
  readonly sentence: string;
}

const atStart: readonly Failing[] = [
  {
    title: "exits at once",
    code: "sys.exit(7)",
    expected: ["SERVICE_DOWN", "exit_code"],
    sentence: 'The plugin "hello" ended by itself with exit code 7 before it answered initialize.',
  },
  {
    title: "never answers initialize",
    code: "import time; time.sleep(600)",
    expected: ["PLUGIN_TIMEOUT", "no_answer"],
    sentence: 'The plugin "hello" did not answer initialize within 2000 ms.',
  },
  {
    title: "prints a banner on stdout",
    code: 'print("Starting the server...", flush=True)',
    expected: ["SERVICE_DOWN", "stdout_not_protocol"],
    sentence: 'The plugin "hello" wrote a line to stdout that is not protocol: "Starting the server...".',
  },
  {
    title: "speaks a protocol version that never was",
    code: [
      "asked = json.loads(sys.stdin.readline())",
      'said = {"protocolVersion": "1999-01-01", "capabilities": {}, "serverInfo": {"name": "x", "version": "1"}}',
      'print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": said}), flush=True)',
    ].join("\n"),
    expected: ["SERVICE_DOWN", "protocol_version"],
    sentence: 'The plugin "hello" answered initialize with protocol version "1999-01-01".',
  },
  {
    title: "lacks a module",
    code: "import no_such_module_for_gum",
    expected: ["SERVICE_DOWN", "module_missing"],
    sentence: 'The plugin "hello" could not find the module "no_such_module_for_gum".',
  },
  {
    title: "is ended by a signal",
    code: "import os, signal; os.kill(os.getpid(), signal.SIGUSR1)",
    expected: ["SERVICE_DOWN", "signal"],
    sentence: 'The plugin "hello" was ended by SIGUSR1 before it answered initialize.',
  },
  {
    title: "leaves a detached child and exits",
    code: "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: time.sleep(600)\n    os._exit(0)\nsys.exit(5)",
    expected: ["SERVICE_DOWN", "exit_code"],
    sentence: 'The plugin "hello" ended by itself with exit code 5 before it answered initialize.',
  },
];

describe("a plugin that behaved when it was installed and then", () => {
  for (const { title, code, expected, sentence } of atStart) {
    test(`W27 ${title} fails its call with the cause, rests, and leaves nothing`, async () => {
      using home = scratch();
      const { caller, kernel } = await changeable(home);
      expect((await callTool(kernel, request("plug.hello.hello", { name: "Ada" }))).payload.success).toBe(
        true,
      );
      change(home, code);
      const error = await refusalOf(() => callTool(kernel, request("plug.hello.hello", { name: "Ada" })));
      expect([error.code, error.info.details?.cause]).toEqual([...expected]);
      expect(error.message).toBe(sentence);
      expect((await caller.state()).quarantined).toBe(true);
      expect(await leftOf(home.folder)).toEqual([]);
    }, 20_000);
  }
});

interface Calling {
  readonly title: string;
  readonly plugin: string;
  readonly tool: string;
  readonly args?: CallRequest["args"];
  readonly timeoutMs?: number;
  /** What is answered, or the code and the cause of the failure. */
  readonly answer?: unknown;
  readonly failure?: readonly [code: string, cause: string | undefined];
}

const inCall: readonly Calling[] = [
  {
    title: "W27 exits during a call",
    plugin: "crash-call",
    tool: "crash",
    failure: ["SERVICE_DOWN", "exit_code"],
  },
  {
    title: "W2 writes half a line and stalls",
    plugin: "half-line",
    tool: "half",
    timeoutMs: 300,
    failure: ["PLUGIN_TIMEOUT", undefined],
  },
  {
    title: "W2 answers with a line of 40 MB",
    plugin: "huge-line",
    tool: "fill",
    args: { bytes: 40_000_000 },
    failure: ["SERVICE_DOWN", "message_malformed"],
  },
  {
    title: "W3 answers after its time",
    plugin: "late-answer",
    tool: "slow",
    timeoutMs: 200,
    failure: ["PLUGIN_TIMEOUT", undefined],
  },
  {
    title: "W27 ends while a child of it holds its pipes",
    plugin: "forks",
    tool: "leave",
    failure: ["SERVICE_DOWN", "exit_code"],
  },
  {
    title: "W1 prints during a call",
    plugin: "chatty-call",
    tool: "hello",
    failure: ["SERVICE_DOWN", "stdout_not_protocol"],
  },
  { title: "W2 floods stderr for ever", plugin: "flood-stderr", tool: "hello", answer: "done" },
  {
    title: "W6 answers twice, to nobody, and under other ids",
    plugin: "stray-answers",
    tool: "hello",
    answer: "first",
  },
  {
    title: "W6 has a tool with a broken schema among good ones",
    plugin: "broken-tool",
    tool: "good",
    answer: "good",
  },
];

describe("a plugin that", () => {
  for (const { title, plugin, tool, args, timeoutMs, answer, failure } of inCall) {
    test(`${title}: ${failure === undefined ? "the call is answered" : failure[0]}, and nothing is left`, async () => {
      using home = scratch();
      const { kernel } = await callerIn(home);
      await installFrom(kernel, home.plugin(plugin));
      const call = (): Promise<unknown> =>
        callTool(kernel, request(`plug.${plugin}.${tool}`, args, timeoutMs)).then(({ payload }) => payload);
      if (failure === undefined) expect(await call()).toEqual({ success: true, data: answer });
      else {
        const error = await refusalOf(call);
        expect([error.code, error.info.details?.cause]).toEqual([...failure]);
      }
      expect(await leftOf(home.folder)).toEqual([]);
    }, 20_000);
  }

  test("W4 forks a child that detaches twice: the call is answered, and the child ends with the plugin", async () => {
    using home = scratch();
    const { kernel } = await callerIn(home);
    const plugin = rewrite(home.plugin("forks"), (text) =>
      text.replace(
        "    if child == 0:\n        while True:",
        "    if child == 0:\n        os.setsid()\n        if os.fork() > 0:\n            os._exit(0)\n        os.setsid()\n        while True:",
      ),
    );
    await installFrom(kernel, plugin);
    const server = await openServer(kernel);
    const client = server.client();
    const { signal } = new AbortController();
    expect((await client.call(request("plug.forks.fork"), { signal })).payload.success).toBe(true);
    // The control: as long as the plugin runs, so does what it has detached.
    expect(processesOf(home.folder).length).toBeGreaterThanOrEqual(2);
    await client.close();
    await server.close(0);
    expect(await leftOf(home.folder)).toEqual([]);
  }, 20_000);

  test("W4 ignores a closed stdin and SIGTERM: the call is answered, and the plugin is killed", async () => {
    using home = scratch();
    const { caller, kernel } = await changeable(home);
    change(
      home,
      "import signal, atexit, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); atexit.register(lambda: time.sleep(600))",
    );
    expect((await callTool(kernel, request("plug.hello.hello", { name: "Ada" }))).payload.success).toBe(true);
    expect(await leftOf(home.folder)).toEqual([]);
    expect((await caller.state()).quarantined).toBe(false);
  }, 20_000);

  test("W3 answers after its time does not answer a later call with it, in a server that keeps it", async () => {
    using home = scratch();
    const { kernel } = await callerIn(home);
    await installFrom(kernel, home.plugin("late-answer"));
    const server = await openServer(kernel);
    const client = server.client();
    const { signal } = new AbortController();
    const late = await refusalOf(() => client.call(request("plug.late-answer.slow", {}, 200), { signal }));
    expect(late.code).toBe("PLUGIN_TIMEOUT");
    const { payload } = await client.call(request("plug.late-answer.fast"), { signal });
    expect(String(payload.data)).toStartWith("fast ");
    await server.close(0);
    expect(await leftOf(home.folder)).toEqual([]);
  }, 20_000);
});

/** hello, which runs what the test puts into its home folder; it starts quickly or not at all. */
async function changeable(home: Scratch) {
  const caller = await callerIn(home);
  const plugin = rewrite(home.plugin("hello"), (text) =>
    text.replace(
      "\nfor line in sys.stdin:",
      '\nimport os\nchange = os.path.join(os.environ["HOME"], "change.py")\nif os.path.exists(change):\n    exec(open(change).read())\n\nfor line in sys.stdin:',
    ),
  );
  const { config } = caller.kernel;
  const kernel: Kernel = { ...caller.kernel, config: { ...config, "dispatch.connect_timeout_ms": 2000 } };
  await installFrom(kernel, plugin);
  return { caller, kernel };
}

function change(home: Scratch, code: string): void {
  const own = join(home.dataDir, "plugin-data/hello/home");
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "change.py"), code);
}
