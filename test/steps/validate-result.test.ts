import { describe, expect, test } from "bun:test";
import type { SchemaVerdict } from "../../src/model/call-runtime.ts";
import { resolvedSchema } from "../../src/registry/schema-store.ts";
import { validateResult } from "../../src/steps/validate-result.ts";
import { createFakeHost } from "../fakes/fake-host.ts";
import { resolved, runtime } from "./dispatch-support.ts";
import { profile, refusalOf, runStep } from "./run-step.ts";

const schema = { type: "object", required: ["name"] };
const refs = { request_ref: "alpha.search.request", response_ref: "alpha.search.response" };
const stored = Object.values(refs).map((ref) => resolvedSchema(ref, schema));

/** A world in which the variant's two schemas are stored. */
function world() {
  const files = Object.fromEntries(
    stored.map(({ ref, sha256, text }) => [`${profile.dataDir}/plugin-schemas/${ref}.${sha256}.json`, text]),
  );
  const base = resolved();
  return {
    host: createFakeHost({ files }),
    resolved: resolved({
      variant: {
        schema_hashes: Object.fromEntries(stored.map(({ ref, sha256 }) => [ref, sha256])),
        binding: { ...base.variant.binding, ...refs },
      },
    }),
  };
}

const wrong: SchemaVerdict = {
  kind: "checked",
  violations: [
    { pointer: "/name", message: "is required" },
    { pointer: "/times", message: "must be integer" },
  ],
};

describe("validate-result", () => {
  const payload = { payload: { success: true, data: { name: 1 } } };

  test("D5 a result that does not fit is a warning", async () => {
    const { host, resolved: op } = world();
    const input = { profile, resolved: op, runtime: runtime({ verdict: wrong }), payload };
    const { given, warnings } = await runStep(validateResult, input, { host });
    expect(given).toEqual({ resultChecked: true });
    expect(warnings.map(({ message }) => message)).toEqual([
      'RESULT_INVALID: The result of "alpha.search" does not fit its response schema: /name is required.',
    ]);
  });

  test("D5 with dispatch.strict_results it is an error with every violation", async () => {
    const { host, resolved: op } = world();
    const lenient = runtime({ verdict: wrong });
    const strict = { ...lenient, settings: { ...lenient.settings, strictResults: true } };
    const error = await refusalOf(() =>
      runStep(validateResult, { profile, resolved: op, runtime: strict, payload }, { host }),
    );
    expect([error.code, error.info.details]).toEqual(["RESULT_INVALID", { violations: wrong.violations }]);
  });

  test("D5 the data is what the response schema is about", async () => {
    const { host, resolved: op } = world();
    const seen: unknown[] = [];
    const schemas = {
      check: async (_lane: string, _schema: unknown, value: unknown): Promise<SchemaVerdict> => {
        seen.push(value);
        return { kind: "checked", violations: [] };
      },
    };
    await runStep(
      validateResult,
      { profile, resolved: op, runtime: runtime({ schemas }), payload },
      { host },
    );
    expect(seen).toEqual([{ name: 1 }]);
  });
});
