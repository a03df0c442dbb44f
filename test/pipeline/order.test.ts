import { describe, expect, test } from "bun:test";
import type { Rules } from "../../src/pipeline/load.ts";
import { fakeRules, fakeStep, fakeText, faultsOf, loadEdited } from "./fakes.ts";

/** The rules with some steps replaced. */
function rulesWith(steps: Rules["steps"]): Rules {
  return { ...fakeRules, steps: { ...fakeRules.steps, ...steps } };
}

describe("the order of a pipeline", () => {
  test("P4 a step whose need is given by none before it is refused, with the step to put there", () => {
    const swapped = fakeText.replace("  - step: read\n  - step: gate\n", "  - step: gate\n  - step: read\n");
    expect(faultsOf(swapped)).toEqual([
      '6:11: Step "gate" needs "document", which no earlier step gives: put "read" before it',
    ]);
  });

  test("P5 a gate that is deleted is missed twice: by name, and by what it proves", () => {
    expect(faultsOf(fakeText.replace("  - step: gate\n", ""))).toEqual([
      '1:1: Step "gate" is missing: no shipped check of "install" can be dropped',
      '7:11: Step "trial" needs "shapeAllowed", which no earlier step gives: put "gate" before it',
    ]);
  });

  test("P5 a shipped step that proves nothing is missed by its name", () => {
    expect(faultsOf(fakeText.replace("  - step: log\n    always: true\n", ""))).toEqual([
      '1:1: Step "log" is missing: no shipped check of "install" can be dropped',
    ]);
  });

  test("P4 a step that stands twice, and a key that is given twice, are refused", () => {
    expect(faultsOf(fakeText.replace("  - step: gate\n", "  - step: gate\n  - step: gate\n"))).toEqual([
      '8:11: Step "gate" stands twice',
      '8:11: Step "gate" gives "shapeAllowed", which is already there',
    ]);
    const rules = rulesWith({ "max-size": fakeStep("max-size", { gives: ["document"], optional: true }) });
    expect(
      faultsOf(fakeText.replace("  - step: gate", "  - step: max-size\n  - step: gate"), rules),
    ).toContain('7:11: Step "max-size" gives "document", which is already there');
  });

  test("P4 a step cannot give a key that the caller has given", () => {
    const rules = rulesWith({
      read: fakeStep("read", { needs: ["source"], gives: ["document", "profile"] }),
    });
    expect(faultsOf(fakeText, rules)).toEqual(['6:11: Step "read" gives "profile", which is already there']);
  });

  test("P7 an optional step may be added anywhere that its needs allow, and left out", () => {
    const added = fakeText.replace(
      "  - step: trial",
      "  - step: scan-text\n  - step: max-size\n  - step: trial",
    );
    expect(loadEdited(added).steps.map(({ name }) => name)).toEqual([
      "read",
      "gate",
      "scan-text",
      "max-size",
      "trial",
      "publish",
      "log",
    ]);
    expect(faultsOf(fakeText.replace("  - step: read", "  - step: scan-text\n  - step: read"))).toEqual([
      '6:11: Step "scan-text" needs "document", which no earlier step gives: put "read" before it',
    ]);
  });

  test("P7 a step that was not shipped in this pipeline and is not optional does not belong there", () => {
    expect(faultsOf(fakeText.replace("  - step: publish", "  - step: collect\n  - step: publish"))).toEqual([
      '11:11: Step "collect" does not belong to "install"',
    ]);
  });

  test("P5 a pair that no proof can order is ordered by the table", () => {
    const early = fakeText.replace("  - step: gate", "  - step: max-size\n  - step: gate");
    expect(faultsOf(early)).toEqual(['8:11: Step "gate" must stand before "max-size"']);
  });

  test("P5 nothing but `always` steps stands after the last step", () => {
    const late = fakeText.replace("  - step: log", "  - step: max-size\n  - step: log");
    expect(faultsOf(late)).toEqual(['12:11: Step "max-size" must stand before "publish", which comes last']);
    const early = fakeText
      .replace("  - step: log\n    always: true\n", "")
      .replace("  - step: read", "  - step: log\n    always: true\n  - step: read");
    expect(faultsOf(early)).toEqual(['6:11: Step "log" always runs, so it must stand after "publish"']);
  });

  test("P5 an `always` step may need only what is there from the start", () => {
    const rules = rulesWith({ log: fakeStep("log", { always: true, needs: ["generation", "profile"] }) });
    expect(faultsOf(fakeText, rules)).toEqual([
      '12:11: Step "log" always runs, so it cannot need "generation", which a failed run may lack',
    ]);
  });

  test("P4 a predicate's needs are needs of the step", () => {
    const text = fakeText.replace(
      "  - step: trial",
      "  - step: max-size\n    when: has-plugin\n  - step: trial",
    );
    expect(faultsOf(text)).toEqual(['8:11: Step "max-size" needs "plugin", which no earlier step gives']);
  });

  test("P4 a pipeline that does not give what its caller expects is refused", () => {
    const rules: Rules = {
      ...fakeRules,
      contracts: {
        install: {
          input: { profile: "profile", source: "source" },
          gives: ["generation", "plugin"],
          order: [],
        },
      },
    };
    expect(faultsOf(fakeText, rules)).toEqual(['1:1: The pipeline must give "plugin", and no step does']);
  });
});
