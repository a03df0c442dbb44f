import { describe, expect, test } from "bun:test";
import { GumError } from "../../src/base/errors.ts";
import { examinePipeline, loadPipeline } from "../../src/pipeline/load.ts";
import { fakeRules, fakeText, faultsOf, findingsOf, loadEdited, textsOf } from "./fakes.ts";

const sharedText = `pipeline: validate
version: 1
summary: The head of install.
use: install
until: trial
`;

function refusal(run: () => unknown): GumError {
  try {
    run();
  } catch (error) {
    if (error instanceof GumError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

function loadShared(text: string, install = fakeText) {
  return loadPipeline(
    "validate",
    textsOf({ install: fakeText, validate: sharedText }, { install, validate: text }),
    fakeRules,
  );
}

describe("loading a pipeline", () => {
  test("P4 a refusal is PIPELINE_INVALID and carries every fault with file, line and column", () => {
    const text = fakeText.replace("step: gate", "step: gaet").replace("always: true", "allways: true");
    const error = refusal(() => loadEdited(text));
    expect(error.code).toBe("PIPELINE_INVALID");
    expect(error.info.at).toEqual({ file: "install.yaml", line: 7, column: 11, text: "  - step: gaet" });
    expect(findingsOf(error)).toEqual([
      '7:11: Unknown step "gaet": did you mean "gate"?',
      '12:11: Step "log" must also run after a failure: add "always: true"',
      '13:5: Unknown key "allways" in a step: did you mean "always"?',
    ]);
  });

  test("P4 an unknown pipeline is refused with the nearest name", () => {
    const error = refusal(() => loadPipeline("instal", textsOf({ install: fakeText }), fakeRules));
    expect(error.code).toBe("PIPELINE_INVALID");
    expect(error.message).toBe('Unknown pipeline "instal": did you mean "install"?');
    expect(error.info.hint).toBe("see `gum pipeline list`");
  });

  test("P4 the keys above the steps are checked", () => {
    expect(faultsOf(fakeText.replace("pipeline: install", "pipeline: remove"))).toEqual([
      '1:11: "pipeline" must be "install"',
    ]);
    expect(faultsOf(fakeText.replace("version: 1", "version: 2"))).toEqual(['2:10: "version" must be 1']);
    expect(faultsOf(fakeText.replace("version: 1", 'version: "1"'))).toEqual(['2:10: "version" must be 1']);
    expect(faultsOf(fakeText.replace(/summary: .*\n/, ""))).toEqual(['1:1: "summary" must be a sentence']);
    expect(faultsOf(fakeText.replace(", source: source", ""))).toEqual([
      '4:8: "input" must be { profile: profile, source: source }',
    ]);
    expect(faultsOf(fakeText.replace("source: source", "source: flags"))).toEqual([
      '4:8: "input" must be { profile: profile, source: source }',
    ]);
    expect(faultsOf(fakeText.split("steps:")[0] ?? "")).toContain('1:1: "steps" is missing');
  });

  test("P6 a file that the operator's folder lacks is the shipped one", () => {
    const shipped = loadPipeline("install", textsOf({ install: fakeText }), fakeRules);
    expect(shipped.edited).toBe(false);
    expect(loadEdited(fakeText).edited).toBe(true);
  });

  test("P10 the digest is that of the content: comments and layout do not change it, a parameter does", () => {
    const { sha256 } = loadEdited(fakeText);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(loadEdited(`# a comment\n${fakeText}`).sha256).toBe(sha256);
    expect(loadEdited(fakeText.replace("{ mode: live }", "\n      mode: live")).sha256).toBe(sha256);
    expect(loadEdited(fakeText.replace("mode: live", "mode: skip")).sha256).not.toBe(sha256);
  });

  test("P10 the digest is the SHA-256 of the JCS form of the file", () => {
    const jcs =
      '{"input":{"profile":"profile","source":"source"},"pipeline":"install","steps":[{"step":"read"},{"step":"gate"},' +
      '{"on_error":[{"code":"CANARY_FAILED","then":"quarantine"}],"step":"trial","with":{"mode":"live"}},' +
      '{"step":"publish"},{"always":true,"step":"log"}],"summary":"Three steps between two.","version":1}';
    expect(loadEdited(fakeText).sha256).toBe(new Bun.CryptoHasher("sha256").update(jcs).digest("hex"));
  });

  test("P2 `use` and `until` share the head of another pipeline, without the step that is named", () => {
    expect(loadShared(sharedText).steps.map(({ name }) => name)).toEqual(["read", "gate"]);
  });

  test("P2 a shared head follows the operator's copy of the other pipeline", () => {
    const edited = fakeText.replace("  - step: trial", "  - step: max-size\n  - step: trial");
    expect(loadShared(sharedText, edited).steps.map(({ name }) => name)).toEqual([
      "read",
      "gate",
      "max-size",
    ]);
  });

  test("P4 faults of the shared pipeline are faults of the one that uses it", () => {
    const error = refusal(() => loadShared(sharedText, fakeText.replace("step: gate", "step: gaet")));
    expect(findingsOf(error)).toContain('7:11: Unknown step "gaet": did you mean "gate"?');
  });

  test("P3 `use` and `until` stand together, and beside no steps", () => {
    const faults = (text: string): string[] => findingsOf(refusal(() => loadShared(text)));
    expect(faults(sharedText.replace("use: install", "use: instal"))).toContain(
      '4:6: Unknown pipeline "instal" in "use": did you mean "install"?',
    );
    expect(faults(sharedText.replace("use: install", "use: validate"))).toContain(
      "4:6: A pipeline cannot use itself",
    );
    expect(faults(sharedText.replace("until: trial", "until: trail"))).toContain(
      '5:8: Pipeline "install" has no step "trail": did you mean "trial"?',
    );
    expect(faults(sharedText.replace("until: trial\n", ""))).toContain('1:1: "use" needs "until: <step>"');
    expect(faults(`${sharedText}steps:\n  - step: read\n`)).toContain(
      '7:3: "steps" cannot stand beside "use"',
    );
    expect(faultsOf(`${fakeText}until: trial\n`)).toEqual(['14:8: "until" stands only beside "use"']);
  });

  test("P4 pipelines that use each other are refused", () => {
    const round = sharedText
      .replace("pipeline: validate", "pipeline: install")
      .replace("use: install", "use: validate");
    const error = refusal(() => loadShared(sharedText, round));
    expect(findingsOf(error)).toContain(
      '4:6: Pipeline "install" shares steps itself: use the pipeline that they stand in',
    );
  });

  test("P7 a shared head that ends earlier drops gates, and is refused", () => {
    const error = refusal(() => loadShared(sharedText.replace("until: trial", "until: gate")));
    expect(findingsOf(error)).toEqual([
      '1:1: Step "gate" is missing: no shipped check of "validate" can be dropped',
    ]);
  });

  test("P4 examining tells the faults without throwing", () => {
    const texts = textsOf({ install: fakeText }, { install: fakeText.replace("version: 1", "version: 3") });
    const { findings, pipeline } = examinePipeline("install", texts, fakeRules);
    expect(findings.map(({ message }) => message)).toEqual(['"version" must be 1']);
    expect(pipeline.steps.length).toBe(5);
  });
});
