import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { facetNames, facetsOf, reasonUnsupported, requireSandbox } from "../../src/sandbox/facets.ts";
import type { KernelFacts } from "../../src/sandbox/kernel-facts.ts";

const facts = (landlockAbi: number, seccomp = true): KernelFacts => ({ arch: "x64", landlockAbi, seccomp });

describe("T21 facets", () => {
  test("T21 each Landlock version gives what the table says", () => {
    const table = [1, 2, 3, 4, 5, 6, 7].map((abi) => Object.values(facetsOf(facts(abi))).join(" "));
    expect(table).toEqual([
      "landlock landlock seccomp seccomp none",
      "landlock landlock seccomp seccomp none",
      "landlock landlock landlock seccomp none",
      "landlock landlock landlock landlock+seccomp none",
      "landlock landlock landlock landlock+seccomp none",
      "landlock landlock landlock landlock+seccomp landlock",
      "landlock landlock landlock landlock+seccomp landlock",
    ]);
  });

  test("T21 a kernel that cannot enforce files or network is refused, with the reason", () => {
    expect(reasonUnsupported(facts(0))).toBe("the kernel offers no Landlock");
    expect(reasonUnsupported(facts(7, false))).toBe("the kernel offers no seccomp filters");
    expect(reasonUnsupported({ arch: undefined, landlockAbi: 7, seccomp: true })).toBe(
      "gum has no sandbox for this operating system and processor",
    );
    expect(() => requireSandbox(facts(0))).toThrow("was not started because the kernel offers no Landlock.");
  });

  test("T21 Debian 12 (version 2) and Ubuntu 24.04 (version 4) are enough", () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8].map((abi) => reasonUnsupported(facts(abi)))).toEqual(
      Array(8).fill(undefined),
    );
  });

  test("T21 the published table is the one that is used", () => {
    const page = readFileSync(new URL("../../docs/sandbox.md", import.meta.url), "utf8");
    const header = `| Landlock version | ${facetNames.join(" | ")} |`;
    expect(page).toContain(header);
    for (const abi of [1, 2, 3, 4, 5, 6, 7]) {
      expect(page).toContain(`| ${abi} | ${Object.values(facetsOf(facts(abi))).join(" | ")} |`);
    }
  });
});
