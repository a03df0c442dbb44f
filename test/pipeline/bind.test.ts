import { describe, expect, test } from "bun:test";
import { fakeRules, fakeText, faultsOf, loadEdited } from "./fakes.ts";

const withLine = "    with: { mode: live }";

/** The small pipeline with one more line below a step. */
function below(step: string, line: string): string {
  return fakeText.replace(`  - step: ${step}\n`, `  - step: ${step}\n    ${line}\n`);
}

describe("fitting an entry to its step", () => {
  test("P4 an unknown step is refused with its place and the nearest name", () => {
    expect(faultsOf(fakeText.replace("step: publish", "step: pubish"))).toEqual([
      '11:11: Unknown step "pubish": did you mean "publish"?',
    ]);
  });

  test("P4 a name from the prototype of objects is no step", () => {
    expect(faultsOf(fakeText.replace("step: gate", "step: toString"))).toEqual([
      '7:11: Unknown step "toString"',
    ]);
  });

  test("P3 `with` is checked against the step's own parameters, and defaults are filled in", () => {
    expect(loadEdited(fakeText).steps[2]?.args).toEqual({ mode: "live", timeout_ms: 10_000 });
    expect(loadEdited(fakeText.replace(`${withLine}\n`, "")).steps[2]?.args).toEqual({
      mode: "live",
      timeout_ms: 10_000,
    });
  });

  test("P7 a parameter outside its range is refused with the path of it", () => {
    const [wrong] = faultsOf(fakeText.replace(withLine, "    with: { mode: live, timeout_ms: 60001 }"));
    expect(wrong).toStartWith('9:25: Step "trial": "with.timeout_ms": ');
    const [unknown] = faultsOf(fakeText.replace(withLine, "    with: { mod: live }"));
    expect(unknown).toStartWith('9:13: Step "trial": "with" has no "mod": did you mean "mode"?');
  });

  test("P4 `with` on a step that takes none is refused", () => {
    expect(faultsOf(below("gate", "with: { mode: live }"))).toEqual(['8:11: Step "gate" takes no "with"']);
  });

  test("P3 `when` takes a predicate of the closed set alone", () => {
    const optional = fakeText.replace(
      "  - step: trial",
      "  - step: max-size\n    when: is-dev\n  - step: trial",
    );
    expect(loadEdited(optional).steps[2]?.when?.name).toBe("is-dev");
    expect(faultsOf(optional.replace("when: is-dev", "when: is-dve"))).toEqual([
      '9:11: Unknown predicate "is-dve" in "when": did you mean "is-dev"?',
    ]);
    expect(faultsOf(optional.replace("when: is-dev", "when: profile.isDev == true"))).toEqual([
      '9:11: Unknown predicate "profile.isDev == true" in "when"',
    ]);
  });

  test("P5 a step that names the conditions it may be skipped by takes no other", () => {
    const steps = { ...fakeRules.steps };
    const size = steps["max-size"];
    if (size === undefined) throw new Error("The fake steps have changed");
    steps["max-size"] = { ...size, skippableBy: ["never"] };
    const optional = fakeText.replace(
      "  - step: trial",
      "  - step: max-size\n    when: is-dev\n  - step: trial",
    );
    expect(faultsOf(optional, { ...fakeRules, steps })).toEqual([
      '9:11: Step "max-size" can only be skipped by "never"',
    ]);
    expect(faultsOf(optional)).toEqual([]);
  });

  test("P5 a step that gives a proof cannot be skipped by `when`", () => {
    expect(faultsOf(below("gate", "when: is-dev"))).toEqual([
      '8:11: Step "gate" cannot be skipped by "when": later steps rely on "shapeAllowed"',
    ]);
  });

  test("P5 a failure of a step that gives a proof cannot be turned into a warning", () => {
    expect(faultsOf(below("gate", "on_error: warn"))).toEqual([
      '8:15: A failure of step "gate" cannot be a warning: later steps rely on "shapeAllowed"',
    ]);
  });

  test("P3 `on_error` is fail, quarantine, warn, or a list by code", () => {
    const trial = loadEdited(fakeText).steps[2];
    expect(trial?.onError("CANARY_FAILED")).toBe("quarantine");
    expect(trial?.onError("SERVICE_DOWN")).toBe("fail");
    expect(loadEdited(below("gate", "on_error: fail")).steps[1]?.onError("INTERNAL_ERROR")).toBe("fail");
    const warned = fakeText.replace(
      "  - step: trial",
      "  - step: max-size\n    on_error: warn\n  - step: trial",
    );
    expect(loadEdited(warned).steps[2]?.onError("POLICY_DENIED")).toBe("warn");
  });

  test("P4 an unknown answer, a code that the step never raises and a malformed item are refused", () => {
    const list = "on_error: [ { code: CANARY_FAILED, then: quarantine } ]";
    expect(faultsOf(fakeText.replace(list, "on_error: quarantin"))).toEqual([
      '10:15: Unknown answer "quarantin" in "on_error": did you mean "quarantine"?',
    ]);
    expect(faultsOf(fakeText.replace("CANARY_FAILED", "CANARY_FAILD"))).toEqual([
      '10:17: Step "trial" never raises "CANARY_FAILD": did you mean "CANARY_FAILED"?',
    ]);
    expect(faultsOf(fakeText.replace(list, "on_error: [ CANARY_FAILED ]"))).toEqual([
      '10:17: An "on_error" item must be { code, then }',
    ]);
  });

  test("P4 quarantine is refused where the step cannot answer it", () => {
    expect(faultsOf(below("gate", "on_error: quarantine"))).toEqual([
      '8:15: A failure of step "gate" cannot be answered by quarantine',
    ]);
  });

  test("P3 `always` belongs to the steps that are made for it, and they must say it", () => {
    expect(faultsOf(fakeText.replace("    always: true\n", ""))).toEqual([
      '12:11: Step "log" must also run after a failure: add "always: true"',
    ]);
    expect(faultsOf(below("gate", "always: true"))).toEqual(['8:13: Step "gate" cannot run after a failure']);
    expect(faultsOf(fakeText.replace("always: true", 'always: "yes"'))).toContain(
      '13:13: "always" must be true or false',
    );
  });

  test("P7 `timeout_ms` is an integer within its range", () => {
    expect(loadEdited(below("gate", "timeout_ms: 250")).steps[1]?.timeoutMs).toBe(250);
    const refused = '8:17: "timeout_ms" of step "gate" must be an integer from 1 to 3600000';
    for (const value of ["0", "1.5", "-1", "3600001", "soon"])
      expect(faultsOf(below("gate", `timeout_ms: ${value}`))).toEqual([refused]);
  });

  test("P7 `note` is text and changes nothing else", () => {
    expect(loadEdited(below("gate", "note: our auditors ask for this")).steps[1]?.note).toBe(
      "our auditors ask for this",
    );
    expect(faultsOf(below("gate", "note: [ a, b ]"))).toEqual(['8:11: "note" must be text']);
  });
});
