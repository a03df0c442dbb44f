// The hello plugin on the official SDKs for Go and Rust, built here. Needs the toolchain and its package index.
import { expect, test } from "bun:test";
import { copyFileSync, mkdirSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { callerIn } from "../../test/kernel/calls.ts";
import { example } from "../../test/kernel/examples.ts";
import { installFrom, type Scratch, scratch } from "../../test/kernel/scratch.ts";
import { refusalOf } from "../../test/steps/run-step.ts";

const deadlineMs = 300_000;
/** What was built once is not built again by the next run. */
const kept = join(tmpdir(), `gum-native-hello-${process.getuid?.() ?? 0}`);

/** A toolchain manager without a toolchain, as in a new home, is on the PATH and does nothing. */
function works(program: string, question: string): boolean {
  return Bun.which(program) !== null && Bun.spawnSync([program, question]).exitCode === 0;
}

function build(words: readonly string[], cwd: string, env: Readonly<Record<string, string>>): void {
  const { PATH = "", HTTPS_PROXY, https_proxy, SSL_CERT_FILE } = process.env;
  const ways = Object.entries({ HTTPS_PROXY, https_proxy, SSL_CERT_FILE }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const built = Bun.spawnSync([...words], {
    cwd,
    env: { PATH, HOME: homedir(), ...Object.fromEntries(ways), ...env },
    stdout: "pipe",
    stderr: "pipe",
    timeout: deadlineMs - 30_000,
  });
  if (built.exitCode !== 0) throw new Error(`Cannot build: ${built.stderr.toString().slice(-2000)}`);
}

async function expectHello(home: Scratch, id: string, folder: string): Promise<void> {
  const caller = await callerIn(home);
  const answer = await installFrom(caller.kernel, folder);
  expect(answer.quarantine).toBeNull();
  expect((await caller.call(`plug.${id}.hello`, { name: "world" })).payload).toEqual({
    success: true,
    data: { greeting: "Hello, world!" },
  });
  const empty = await refusalOf(() => caller.call(`plug.${id}.hello`, { name: "" }));
  expect([empty.code, empty.info.sourceErrorCode]).toEqual(["INVALID_ARGS", "INVALID_INPUT"]);
  const before = caller.started();
  expect((await refusalOf(() => caller.call(`plug.${id}.hello`, { name: 1 }))).code).toBe("INVALID_ARGS");
  expect(caller.started()).toBe(before);
}

test.skipIf(!works("go", "version"))(
  "W6 examples/hello-go on the official Go SDK is built, installed and called (where go works)",
  async () => {
    using home = scratch();
    const folder = example(home, "hello-go");
    build(["go", "build", "-trimpath", "-mod=readonly", "-o", "bin/hello-go", "."], folder, {
      GOCACHE: join(kept, "go"),
      GOFLAGS: "-buildvcs=false",
      CGO_ENABLED: "0",
    });
    await expectHello(home, "hello-go", folder);
  },
  deadlineMs,
);

test.skipIf(!works("cargo", "--version"))(
  "W6 examples/hello-rust on the official Rust SDK is built, installed and called (where cargo works)",
  async () => {
    using home = scratch();
    const folder = example(home, "hello-rust");
    const target = join(kept, "rust");
    build(["cargo", "build", "--locked", "--quiet"], folder, { CARGO_TARGET_DIR: target });
    mkdirSync(join(folder, "bin"));
    copyFileSync(join(target, "debug/hello-rust"), join(folder, "bin/hello-rust"));
    await expectHello(home, "hello-rust", folder);
  },
  deadlineMs,
);
