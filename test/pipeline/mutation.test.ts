import { describe, expect, test } from "bun:test";
import type { Finding } from "../../src/base/errors.ts";
import { examinePipeline, type PipelineTexts, type Rules } from "../../src/pipeline/load.ts";
import { readPipelineFile } from "../../src/pipeline/read.ts";
import { contracts } from "../../src/steps/contracts.ts";
import { predicates } from "../../src/steps/predicates.ts";
import { shippedPipelines } from "../../src/steps/shipped.ts";
import { steps } from "../../src/steps/table.ts";
import { moveBefore, mutantsOf, stepNames } from "./mutate.ts";

/** Orders other than the shipped one that do no harm, and why. Whatever else loads is a hole. */
const harmless: Record<string, Record<string, string>> = {
  install: {
    "check-auth before check-credentials": "both only read the manifest, and both stand before consent",
    "check-bindings before check-text": "both only read the manifest, and both stand before consent",
    "check-credentials before deny-env": "neither starts or writes anything; `stage` needs both",
    "check-executable before claim-namespace": "a claim is an intention until it is published",
    "check-integrity before check-executable": "both only read the folder, and `stage` needs both",
    "check-text before check-package": "both only read, and both stand before consent",
    "claim-namespace before check-profiles": "a claim is an intention until it is published",
    "deny-env before check-bindings": "both only read the manifest, and `stage` needs both",
    "resolve-schemas before check-auth": "both only read the folder, and both stand before consent",
  },
  dispatch: {
    "gate-risk before check-status": "both only compare; `verify-executable` needs both",
    "read-cache before check-rate":
      "a remembered answer is counted all the same; `verify-executable` needs both",
  },
  canary: {},
  reload: {
    "verify-tree before verify-installed": "both only compare; `clear-quarantine` needs both",
  },
  ask: {
    "check-rate before check-status": "an attempt is counted all the same; `verify-executable` needs both",
  },
  remove: {},
  setup: {},
  verify: {},
  rollback: {},
};

const rules: Rules = { steps, predicates, contracts };
const shipped: Readonly<Record<string, string>> = shippedPipelines;

function textsWith(name: string, text: string): PipelineTexts {
  return {
    find: (asked) => {
      const found = asked === name ? text : shipped[asked];
      return found === undefined ? undefined : { file: `${asked}.yaml`, text: found, edited: asked === name };
    },
    shipped: (asked) => shipped[asked],
    read: readPipelineFile,
  };
}

function faults(name: string, text: string): readonly Finding[] {
  return examinePipeline(name, textsWith(name, text), rules).findings;
}

describe("shipped pipelines", () => {
  test("P2 every shipped pipeline loads", () => {
    for (const [name, text] of Object.entries(shipped)) expect(faults(name, text)).toEqual([]);
  });

  test("P1 the spine of install stands in its order", () => {
    const spine = [
      "parse-toml-or-json",
      "gate-shape",
      "validate",
      "deny-env",
      "claim-namespace",
      "stage",
      "hash",
      "canary",
      "publish-generation",
    ];
    expect(stepNames(shippedPipelines.install).filter((name) => spine.includes(name))).toEqual(spine);
  });

  for (const name of Object.keys(harmless)) {
    test(`P5 no step of ${name} can be deleted, and no neighbours swapped but those that are listed`, () => {
      const mutants = mutantsOf(shipped[name] ?? "");
      expect(mutants.length).toBe(2 * stepNames(shipped[name] ?? "").length - 1);
      const loading = mutants
        .filter(({ text }) => faults(name, text).length === 0)
        .map((mutant) => mutant.name);
      expect(loading.toSorted()).toEqual(Object.keys(harmless[name] ?? {}).toSorted());
    });

    test(`P4 every refused change of ${name} is told with file, line and column`, () => {
      for (const mutant of mutantsOf(shipped[name] ?? "")) {
        for (const { code, at, message } of faults(name, mutant.text)) {
          expect(code).toBe("PIPELINE_INVALID");
          expect(`${mutant.name}: ${at?.file}:${at?.line}:${at?.column}: ${message}`).toMatch(
            new RegExp(`^${mutant.name}: ${name}\\.yaml:[1-9]\\d*:[1-9]\\d*: \\S`),
          );
        }
      }
    });
  }

  test("P5 consent comes after every check whose outcome a person should not be asked about", () => {
    const names = stepNames(shippedPipelines.install);
    const gates = [
      "check-text",
      "deny-env",
      "claim-namespace",
      "check-executable",
      "check-integrity",
      "check-signature",
    ];
    const early = gates.filter((gate) => {
      const text = moveBefore(shippedPipelines.install, "confirm-trust", gate);
      return faults("install", text).length === 0;
    });
    expect(names.indexOf("confirm-trust")).toBe(names.indexOf("stage") - 1);
    expect(early).toEqual([]);
  });

  test("P5 validate shares the whole head of install: no other end loads", () => {
    const names = stepNames(shippedPipelines.install);
    const loading = names.filter((until) => {
      const text = shippedPipelines.validate.replace("until: confirm-trust", `until: ${until}`);
      return faults("validate", text).length === 0;
    });
    expect(loading).toEqual(["confirm-trust"]);
  });
});
