import { describe, expect, test } from "bun:test";
import { GumError } from "../../src/base/errors.ts";
import type { Rules } from "../../src/pipeline/load.ts";
import { type RunOptions, runPipeline } from "../../src/pipeline/run.ts";
import type { AnyStep, StepRecord } from "../../src/pipeline/step.ts";
import { createFakeHost } from "../fakes/fake-host.ts";
import { fakeRules, fakeStep, fakeText, loadEdited, valuesOf } from "./fakes.ts";

const start = valuesOf("caller", ["profile", "source"]);

/** Runs the small pipeline with some of its steps replaced, and keeps what was told. */
async function run(
  steps: Readonly<Record<string, AnyStep>>,
  { text = fakeText, ...options }: Partial<RunOptions> & { text?: string } = {},
) {
  const told: string[] = [];
  const records: StepRecord[] = [];
  const rules: Rules = { ...fakeRules, steps: { ...fakeRules.steps, ...steps } };
  const onStep = (record: StepRecord, index: number): void => {
    records.push(record);
    told.push(`${index} ${record.step} ${record.outcome}`);
  };
  const running = runPipeline(loadEdited(text, rules), start, {
    host: createFakeHost(),
    signal: new AbortController().signal,
    onStep,
    ...options,
  });
  const result = await running.then(
    ({ state, record }) => ({ state, record, error: undefined }),
    (error: unknown) => {
      if (!(error instanceof GumError)) throw error;
      return { state: undefined, record: undefined, error };
    },
  );
  return { ...result, told, records };
}

/** Replaces one step's behaviour and keeps its contract. */
function doing(name: string, behaviour: Parameters<typeof fakeStep>[1]): Record<string, AnyStep> {
  const { run: _, ...known } = fakeRules.steps[name] ?? fakeStep(name);
  return { [name]: fakeStep(name, { ...known, ...behaviour }) };
}

function raise(code: "CANARY_FAILED" | "SERVICE_DOWN" | "POLICY_DENIED" | "REGISTRY_IO", message: string) {
  return () => {
    throw new GumError(code, message);
  };
}

describe("running a pipeline", () => {
  test("P1 steps run in the order of the file, and each is told as it ends", async () => {
    const { told, record, state } = await run({});
    expect(told).toEqual(["0 read ok", "1 gate ok", "2 trial ok", "3 publish ok", "4 log ok"]);
    expect(record?.pipeline).toBe("install");
    expect(record?.steps.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual(
      told.map((line) => line.slice(2)),
    );
    expect(Object.keys(state ?? {}).toSorted()).toEqual([
      "canaryReport",
      "document",
      "generation",
      "profile",
      "shapeAllowed",
      "source",
    ]);
  });

  test("P9 a step's note and its milliseconds stand in its record", async () => {
    const host = createFakeHost();
    const { records } = await run(
      doing("gate", {
        run: (_input, tools) => {
          host.clock.advance(12);
          tools.note("shape mcp-plugin");
        },
      }),
      { host },
    );
    expect(records[1]).toEqual({
      step: "gate",
      outcome: "ok",
      ms: 12,
      note: "shape mcp-plugin",
      code: undefined,
    });
  });

  test("P9 a dry run stops before the named step and tells the rest as what would run", async () => {
    const { told, state } = await run({}, { stopBefore: "trial" });
    expect(told).toEqual([
      "0 read ok",
      "1 gate ok",
      "2 trial would-run",
      "3 publish would-run",
      "4 log would-run",
    ]);
    expect(state?.canaryReport).toBeUndefined();
  });

  test("P10 the run carries the digest of the file that ran", async () => {
    const { record } = await run({});
    expect(record?.pipelineSha256).toBe(loadEdited(fakeText).sha256);
  });

  test("P12 a step sees the keys it needs and no others", async () => {
    const seen: unknown[] = [];
    const { error } = await run(doing("gate", { run: (input) => void seen.push(input) }));
    expect(error).toBeUndefined();
    expect(seen).toEqual([{ document: "read:document" }]);
  });

  test("P12 a key that a step did not promise is not taken", async () => {
    const extra = { ...valuesOf("gate", ["shapeAllowed"]), ...valuesOf("gate", ["generation", "document"]) };
    const { state } = await run(doing("gate", { run: () => extra }));
    expect(state?.document as unknown).toBe("read:document");
    expect(state?.generation as unknown).toBe("publish:generation");
  });

  test("P12 a promised key that a step does not give is a failure of gum", async () => {
    const { error } = await run(doing("gate", { run: () => ({}) }));
    expect(error?.code).toBe("INTERNAL_ERROR");
    expect(error?.message).toBe('Step "gate" did not give "shapeAllowed"');
  });

  test("P3 the step gets the parameters of `with`", async () => {
    const args: unknown[] = [];
    await run(doing("trial", { run: (_input, _tools, given) => void args.push(given) }), {
      text: fakeText.replace("mode: live", "mode: skip, timeout_ms: 5"),
    });
    expect(args).toEqual([{ mode: "skip", timeout_ms: 5 }]);
  });

  test("P3 a step whose `when` is false is skipped, and gives what stands in for it", async () => {
    const text = fakeText.replace(
      "  - step: trial",
      "  - step: scan-text\n    when: is-dev\n  - step: trial",
    );
    const { told, state } = await run({}, { text });
    expect(told[2]).toBe("2 scan-text skipped");
    expect(state?.safeText as unknown).toBe("otherwise:safeText");
  });

  test("P3 a failure that `on_error` answers by quarantine goes on with what stands in for it", async () => {
    const { told, state, records, error } = await run(
      doing("trial", { run: raise("CANARY_FAILED", "No answer.") }),
    );
    expect(error).toBeUndefined();
    expect(told.slice(2)).toEqual(["2 trial quarantined", "3 publish ok", "4 log ok"]);
    expect(state?.canaryReport as unknown).toBe("quarantine:canaryReport");
    expect(records[2]).toMatchObject({ code: "CANARY_FAILED", note: "No answer." });
  });

  test("P3 a code that `on_error` does not list fails", async () => {
    const { told, error } = await run(doing("trial", { run: raise("SERVICE_DOWN", "It ended.") }));
    expect(error?.code).toBe("SERVICE_DOWN");
    expect(told.slice(2)).toEqual(["2 trial failed", "3 log ok"]);
  });

  test("P3 a failure that `on_error` answers by warn is told and passed over", async () => {
    const text = fakeText.replace(
      "  - step: trial",
      "  - step: max-size\n    on_error: warn\n  - step: trial",
    );
    const { told, record } = await run(
      doing("max-size", { run: raise("POLICY_DENIED", "It is too large.") }),
      {
        text,
      },
    );
    expect(told[2]).toBe("2 max-size warned");
    expect(record?.warnings).toEqual([{ message: "max-size: It is too large." }]);
    expect(told.at(-1)).toBe("5 log ok");
  });

  test("P3 a step's own warnings stand in the record", async () => {
    const { record } = await run(
      doing("gate", { run: (_input, tools) => tools.warn({ message: "The field x is unknown." }) }),
    );
    expect(record?.warnings).toEqual([{ message: "The field x is unknown." }]);
  });

  test("P3 a step that outlives its `timeout_ms` is aborted and fails as a timeout", async () => {
    const text = fakeText.replace("  - step: gate\n", "  - step: gate\n    timeout_ms: 5\n");
    const { error, told } = await run(doing("gate", { run: (_input, { signal }) => untilAborted(signal) }), {
      text,
    });
    expect(error?.code).toBe("PLUGIN_TIMEOUT");
    expect(error?.message).toBe('Step "gate" took longer than 5 ms.');
    expect(told).toEqual(["0 read ok", "1 gate failed", "2 log ok"]);
  });

  test("P3 steps that always run do so after a failure, with an error to tell and without the keys that are missing", async () => {
    const seen: unknown[] = [];
    const { error } = await run({
      ...doing("trial", { run: raise("SERVICE_DOWN", "It ended.") }),
      ...doing("log", {
        run: (input, { run: { error }, signal }) =>
          void seen.push({ input, code: error?.code, aborted: signal.aborted }),
      }),
    });
    expect(seen).toEqual([{ input: {}, code: "SERVICE_DOWN", aborted: false }]);
    expect(error?.message).toBe("It ended.");
  });

  test("P13 a failing step that always runs does not hide the failure before it", async () => {
    const { error } = await run({
      ...doing("trial", { run: raise("SERVICE_DOWN", "It ended.") }),
      ...doing("log", { run: raise("REGISTRY_IO", "The disk is full.") }),
    });
    expect(error?.code).toBe("SERVICE_DOWN");
  });

  test("P13 a failure runs the undos newest first, then the steps that always run, then the clean-up", async () => {
    const order: string[] = [];
    const leaving = (name: string) =>
      doing(name, {
        run: (_input, { rollback, cleanup }) => {
          rollback.defer(async () => void order.push(`undo ${name}`));
          cleanup.defer(async () => void order.push(`clean ${name}`));
        },
      });
    const { error } = await run({
      ...leaving("read"),
      ...leaving("gate"),
      ...doing("trial", { run: raise("SERVICE_DOWN", "It ended.") }),
      ...doing("log", { run: () => void order.push("log") }),
    });
    expect(error?.code).toBe("SERVICE_DOWN");
    expect(order).toEqual(["undo gate", "undo read", "log", "clean gate", "clean read"]);
  });

  test("P13 the failing step's own undo runs too", async () => {
    const order: string[] = [];
    await run(
      doing("gate", {
        run: (_input, { rollback }) => {
          rollback.defer(async () => void order.push("undo gate"));
          throw new GumError("REGISTRY_IO", "The disk is full.");
        },
      }),
    );
    expect(order).toEqual(["undo gate"]);
  });

  test("P13 a run that succeeds undoes nothing and cleans up", async () => {
    const order: string[] = [];
    await run(
      doing("gate", {
        run: (_input, { rollback, cleanup }) => {
          rollback.defer(async () => void order.push("undo"));
          cleanup.defer(async () => void order.push("clean"));
        },
      }),
    );
    expect(order).toEqual(["clean"]);
  });

  test("P13 an undo that fails does not stop the others, and the first error stays", async () => {
    const order: string[] = [];
    const { error } = await run({
      ...doing("read", {
        run: (_input, { rollback }) => void rollback.defer(async () => void order.push("undo read")),
      }),
      ...doing("gate", {
        run: (_input, { rollback }) => void rollback.defer(raise("REGISTRY_IO", "It is gone.")),
      }),
      ...doing("trial", { run: raise("SERVICE_DOWN", "It ended.") }),
    });
    expect(error?.code).toBe("SERVICE_DOWN");
    expect(order).toEqual(["undo read"]);
  });

  test("P13 something unknown that is thrown is INTERNAL_ERROR with its cause", async () => {
    const cause = new TypeError("x is undefined");
    const { error } = await run(
      doing("gate", {
        run: () => {
          throw cause;
        },
      }),
    );
    expect(error?.code).toBe("INTERNAL_ERROR");
    expect(error?.cause).toBe(cause);
  });

  test("P15 an abort ends the step that runs, undoes, and starts no further step", async () => {
    const controller = new AbortController();
    const order: string[] = [];
    const { error, told } = await run(
      {
        ...doing("read", {
          run: (_input, { rollback }) => void rollback.defer(async () => void order.push("undo")),
        }),
        ...doing("gate", {
          run: (_input, { signal }) => {
            queueMicrotask(() => controller.abort(new GumError("INTERNAL_ERROR", "Interrupted.")));
            return untilAborted(signal);
          },
        }),
      },
      { signal: controller.signal },
    );
    expect(error?.message).toBe("Interrupted.");
    expect(order).toEqual(["undo"]);
    expect(told).toEqual(["0 read ok", "1 gate failed", "2 log ok"]);
  });

  test("P15 an abort is never answered by quarantine or warning", async () => {
    const controller = new AbortController();
    const { told } = await run(
      doing("trial", {
        run: () => {
          controller.abort(new GumError("INTERNAL_ERROR", "Interrupted."));
          throw new GumError("CANARY_FAILED", "The session was closed.");
        },
      }),
      { signal: controller.signal },
    );
    expect(told.slice(2)).toEqual(["2 trial failed", "3 log ok"]);
  });

  test("P15 an abort between two steps starts none of the rest but those that always run", async () => {
    const controller = new AbortController();
    const { told, error } = await run(
      doing("gate", { run: () => controller.abort(new GumError("INTERNAL_ERROR", "Interrupted.")) }),
      { signal: controller.signal },
    );
    expect(told).toEqual(["0 read ok", "1 gate ok", "2 log ok"]);
    expect(error?.message).toBe("Interrupted.");
  });
});

describe("the interpreter", () => {
  test("P14 it stays within 200 lines and knows nothing of plugins", async () => {
    const text = await Bun.file("src/pipeline/run.ts").text();
    expect(text.split("\n").length).toBeLessThanOrEqual(200);
    const imports = [...text.matchAll(/from "([^"]+)"/g)].map(([, specifier]) => specifier);
    expect(imports).toEqual([
      "../base/errors.ts",
      "../host/host.ts",
      "./pipeline.ts",
      "./state.ts",
      "./step.ts",
      "./time-limit.ts",
    ]);
    expect(text.toLowerCase().match(/plugin(?!_timeout)/g)).toBeNull();
  });
});

/** Ends as every real step does that listens to its signal. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}
