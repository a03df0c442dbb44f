import { describe, expect, test } from "bun:test";
import { createProgressBar, progressLine } from "../../src/cli/progress.ts";
import { createFakeHost } from "../fakes/fake-host.ts";

describe("the progress bar", () => {
  test("D9 it shows the share of the total and the plugin's words", () => {
    expect(progressLine({ progress: 1, total: 4, message: "reading" })).toBe(
      "[#####---------------] 25% reading",
    );
    expect(progressLine({ progress: 9, total: 4 })).toBe("[####################] 100%");
    expect(progressLine({ progress: 7 })).toBe("7");
    expect(progressLine({ progress: 0.25, total: 0 })).toBe("0.3");
  });

  test("T29 the plugin's words can neither move the cursor nor start a line", () => {
    const line = progressLine({ progress: 1, total: 2, message: "a\u001b[2Jb\nc\u202Ed" });
    expect(line).toBe("[##########----------] 50% ab cd");
  });

  test("D9 it is drawn in place, not more often than can be read, and taken away at the end", () => {
    const host = createFakeHost({ terminal: { interactive: true } });
    const bar = createProgressBar(host);
    bar.show({ progress: 1, total: 3 });
    bar.show({ progress: 2, total: 3 });
    bar.show({ progress: 3, total: 3 });
    bar.clear();
    bar.clear();
    const lines = host.terminal.said.err.split("\r\u001b[K").slice(1);
    expect(lines).toEqual(["[#######-------------] 33%", "[####################] 100%", ""]);
  });
});
