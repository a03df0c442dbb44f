import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { createHost } from "../../host/real.ts";
import { launchUnconfined } from "../../sandbox/launch-unconfined.ts";
import { createJsonl } from "../../wire/jsonl.ts";
import { benchFolder } from "./programs.ts";
import { type BenchRow, type Measured, sideBySide } from "./row.ts";

/** What a call on a live jsonl process costs beyond the pipe itself: both sides talk to the same program. */
export const jsonlCall: BenchRow = {
  id: "B5",
  what: "jsonl call on a live process",
  against: "a raw pipe round trip of the same lines",
  measure,
};

const runs = 2000;
const limitUs = 100;

async function measure(): Promise<Measured> {
  const program = echoProgram();
  const host = createHost();
  const { PATH = "/usr/bin:/bin" } = host.env;
  const launched = { executable: undefined, path: program, argv: [program], env: { PATH }, cwd: "/" };
  const session = createJsonl(host, () => launchUnconfined(host, launched), { plugin: "bench" });
  const raw = rawEcho(program);
  const limits = { timeoutMs: 10_000 };
  try {
    const both = await sideBySide(
      runs,
      async () => void (await session.call("echo", { text: "hello" }, limits)),
      () => raw.trip(),
    );
    const figure = (both.own.median - both.other.median) * 1000;
    return { ...both, figure, limit: limitUs, unit: "µs more" };
  } finally {
    await session.close();
    raw.end();
  }
}

/** Answers each line at once, with its id; one program for both sides, so that its own time does not count. */
function echoProgram(): string {
  const path = resolve(benchFolder, "echo-line");
  mkdirSync(benchFolder, { recursive: true });
  const source = [
    "#!/usr/bin/env perl",
    "$| = 1;",
    'while (<STDIN>) { my ($id) = /"id":(\\d+)/; print qq({"id":$id,"result":{"text":"hello"}}\\n); }',
    "",
  ].join("\n");
  writeFileSync(path, source, { mode: 0o755 });
  return path;
}

function rawEcho(program: string) {
  const child = spawn(program, { stdio: ["pipe", "pipe", "ignore"] });
  let id = 0;
  return {
    async trip(): Promise<void> {
      id++;
      child.stdin.write(`{"method":"echo","params":{"text":"hello"},"id":${id}}\n`);
      await once(child.stdout, "data");
    },
    end: () => void child.kill("SIGKILL"),
  };
}
