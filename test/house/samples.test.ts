import { describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createScratch, gumBinary } from "../script/scratch.ts";

const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "examples/README.md",
  "examples/echo-jsonl/README.md",
  "examples/echo-handshake/README.md",
];
const deadlineMs = 60_000;

describe("shell samples", () => {
  test("every `make` line names a target", () => {
    const targets = new Set(
      [...readFileSync("Makefile", "utf8").matchAll(/^([a-z-]+):/gm)].map(([, target = ""]) => target),
    );
    const named = pages.flatMap((page) =>
      samplesOf(page)
        .flatMap((sample) => sample.split("\n"))
        .filter((line) => line.startsWith("make "))
        .map((line) => line.slice("make ".length)),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((target) => !targets.has(target))).toEqual([]);
  });

  for (const page of pages.filter((name) => samplesOf(name).some((sample) => sample.includes("gum ")))) {
    test(`every gum command of ${page} works, in the order in which it is shown`, async () => {
      const scratch = createScratch();
      try {
        mkdirSync(join(scratch.work, "bin"));
        cpSync("examples", join(scratch.work, "examples"), { recursive: true });
        const script = samplesOf(page)
          .filter((sample) => sample.includes("gum "))
          .join("");
        const { code, stderr } = await runScript(script, scratch.work, scratch.env);
        expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
      } finally {
        scratch.remove();
      }
    }, 60_000);
  }
});

/** The texts of the ```sh blocks of a page. */
function samplesOf(page: string): string[] {
  return [...readFileSync(page, "utf8").matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);
}

async function runScript(script: string, cwd: string, env: Readonly<Record<string, string>>) {
  const gum = `gum() { "${gumBinary}" "$@"; }\n`;
  const child = Bun.spawn(["/bin/sh", "-e", "-c", gum + script], {
    cwd,
    env,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    timeout: deadlineMs,
    killSignal: "SIGKILL",
  });
  const [stderr, code] = await Promise.all([child.stderr.text(), child.exited]);
  return { code, stderr };
}
