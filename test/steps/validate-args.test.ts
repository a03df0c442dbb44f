import { describe, expect, test } from "bun:test";
import type { SchemaVerdict } from "../../src/model/call-runtime.ts";
import { resolvedSchema } from "../../src/registry/schema-store.ts";
import { validateArgs } from "../../src/steps/validate-args.ts";
import { createFakeHost } from "../fakes/fake-host.ts";
import { request, resolved, runtime } from "./dispatch-support.ts";
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
const gates = { callable: true, riskAccepted: true } as const;

describe("validate-args", () => {
  test("D5 arguments that do not fit are refused with every violation", async () => {
    const { host, resolved: op } = world();
    const input = {
      profile,
      resolved: op,
      request: request("x"),
      runtime: runtime({ verdict: wrong }),
      ...gates,
    };
    const error = await refusalOf(() => runStep(validateArgs, input, { host }));
    expect([error.code, error.message, error.info.details]).toEqual([
      "INVALID_ARGS",
      "The arguments of alpha.search do not fit: /name is required (and 1 more).",
      {
        violations: [
          { pointer: "/name", message: "is required" },
          { pointer: "/times", message: "must be integer" },
        ],
      },
    ]);
    expect(host.spawned).toEqual([]);
  });

  test("D5 the stored schema and the arguments are what is compared, and what fits passes", async () => {
    const { host, resolved: op } = world();
    const seen: unknown[] = [];
    const schemas = {
      check: async (...asked: unknown[]): Promise<SchemaVerdict> => {
        seen.push(asked);
        return { kind: "checked", violations: [] };
      },
    };
    const input = {
      profile,
      resolved: op,
      request: request("x", { args: { name: "Ada" } }),
      runtime: runtime({ schemas }),
      ...gates,
    };
    expect((await runStep(validateArgs, input, { host })).given).toEqual({ argsValid: true });
    expect(seen).toEqual([["alpha", schema, { name: "Ada" }]]);
  });

  test("W30 a schema that cannot be used is warned about once and refuses nothing", async () => {
    const { host, resolved: op } = world();
    const verdicts: SchemaVerdict[] = [
      { kind: "broken", reason: "unknown keyword" },
      { kind: "too_slow", deadlineMs: 1000 },
    ];
    for (const verdict of verdicts) {
      const shared = runtime({ verdict });
      const input = { profile, resolved: op, request: request("x"), runtime: shared, ...gates };
      const first = await runStep(validateArgs, input, { host });
      const second = await runStep(validateArgs, input, { host });
      expect([first.given, second.given]).toEqual([{ argsValid: true }, { argsValid: true }]);
      expect([first.warnings.length, second.warnings.length]).toEqual([1, 0]);
      expect(first.warnings[0]?.message).toStartWith(
        'The request schema of "alpha.search" was not applied: ',
      );
    }
  });

  test("M28 a stored schema that was changed is REGISTRY_IO", async () => {
    const { host, resolved: op } = world();
    const [first] = stored;
    const path = `${profile.dataDir}/plugin-schemas/${first?.ref}.${first?.sha256}.json`;
    await host.files.replace(path, "{}", { mode: 0o600 });
    const input = { profile, resolved: op, request: request("x"), runtime: runtime(), ...gates };
    expect((await refusalOf(() => runStep(validateArgs, input, { host }))).code).toBe("REGISTRY_IO");
  });

  test("D5 a tool without a schema takes what it is given", async () => {
    const base = resolved();
    const op = resolved({ variant: { binding: { ...base.variant.binding, request_ref: null } } });
    const input = {
      profile,
      resolved: op,
      request: request("x"),
      runtime: runtime({ verdict: wrong }),
      ...gates,
    };
    expect((await runStep(validateArgs, input)).given).toEqual({ argsValid: true });
  });
});
