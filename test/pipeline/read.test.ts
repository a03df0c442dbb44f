import { describe, expect, test } from "bun:test";
import { readPipelineFile } from "../../src/pipeline/read.ts";
import { fakeText } from "./fakes.ts";

function faults(text: string): string[] {
  const { findings } = readPipelineFile("install.yaml", text);
  return findings.map(({ code, message, at }) => `${code} ${at?.file}:${at?.line}:${at?.column}: ${message}`);
}

describe("reading a pipeline file", () => {
  test("P3 every step stands with its name, its keys and the place of each", () => {
    const { entries, findings, keys } = readPipelineFile("install.yaml", fakeText);
    expect(findings).toEqual([]);
    expect(entries.map(({ step }) => step.value)).toEqual(["read", "gate", "trial", "publish", "log"]);
    expect(entries[2]?.keys.with).toMatchObject({
      inside: { mode: { line: 9, column: 13 } },
      value: { mode: "live" },
      at: { file: "install.yaml", line: 9, column: 11, text: "    with: { mode: live }" },
    });
    expect(entries[4]?.keys.always?.value).toBe(true);
    expect(keys.pipeline?.value).toBe("install");
    expect(keys.input?.value).toEqual({ profile: "profile", source: "source" });
  });

  test("P4 an unknown key of the file is told with its place and the nearest one", () => {
    expect(faults(fakeText.replace("summary:", "sumary:"))).toEqual([
      'PIPELINE_INVALID install.yaml:3:1: Unknown key "sumary" in the file: did you mean "summary"?',
    ]);
  });

  test("P4 an unknown key of a step is told with its place and the nearest one", () => {
    expect(faults(fakeText.replace("    always: true", "    allways: true"))).toEqual([
      'PIPELINE_INVALID install.yaml:13:5: Unknown key "allways" in a step: did you mean "always"?',
    ]);
  });

  test("P4 a key that resembles nothing is told without a guess", () => {
    expect(faults(fakeText.replace("    always: true", "    retries: 3"))).toEqual([
      'PIPELINE_INVALID install.yaml:13:5: Unknown key "retries" in a step',
    ]);
  });

  test("P4 all faults of a file are told at once", () => {
    const text = fakeText.replace("version:", "vershun:").replace("  - step: gate", "  - stop: gate");
    expect(faults(text).map((line) => line.split(": ")[0])).toEqual([
      "PIPELINE_INVALID install.yaml:2:1",
      "PIPELINE_INVALID install.yaml:7:5",
      "PIPELINE_INVALID install.yaml:7:5",
    ]);
  });

  test("P4 a fault of YAML itself has a place", () => {
    const [first] = faults(fakeText.replace("with: { mode: live }", "with: { mode: live"));
    expect(first).toMatch(/^PIPELINE_INVALID install\.yaml:\d+:\d+: \S/);
  });

  test("P4 the same key twice is a fault", () => {
    const [first] = faults(fakeText.replace("version: 1\n", "version: 1\nversion: 1\n"));
    expect(first).toMatch(/^PIPELINE_INVALID install\.yaml:3:1: /);
  });

  test("P4 steps that are no list, and a step that is no mapping, are faults", () => {
    expect(faults("pipeline: install\nsteps: none\n")).toEqual([
      'PIPELINE_INVALID install.yaml:2:8: "steps" must be a list of steps',
    ]);
    expect(faults("pipeline: install\nsteps:\n  - read\n")).toEqual([
      'PIPELINE_INVALID install.yaml:3:5: A step must be a mapping that starts with "step: <name>"',
    ]);
    expect(faults("pipeline: install\nsteps:\n  - note: hello\n")).toEqual([
      'PIPELINE_INVALID install.yaml:3:5: A step needs "step: <name>"',
    ]);
  });

  test("P4 an empty file and a list are no pipeline", () => {
    const expected = [
      "PIPELINE_INVALID install.yaml:1:1: " +
        "The file must be a mapping with the keys pipeline, version, summary, input and steps",
    ];
    expect(faults("")).toEqual(expected);
    expect(faults("- step: read\n")).toEqual(expected);
  });

  test("P4 anchors and aliases are refused, so that a file says what it means where it means it", () => {
    const text =
      "pipeline: install\nsteps:\n  - step: read\n    with: &same { a: 1 }\n  - step: gate\n    with: *same\n";
    expect(faults(text)).toEqual([
      "PIPELINE_INVALID install.yaml:4:17: Anchors and aliases are not allowed in a pipeline",
      "PIPELINE_INVALID install.yaml:6:11: Anchors and aliases are not allowed in a pipeline",
    ]);
  });

  test("P4 a file beyond 256 KiB is refused before it is parsed", () => {
    expect(faults(`# ${"x".repeat(256 * 1024)}\n${fakeText}`)).toEqual([
      "PIPELINE_INVALID install.yaml:1:1: The file is larger than 262144 bytes",
    ]);
  });
});
