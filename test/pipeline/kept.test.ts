// What an edit may not change about a shipped step: when it runs, and what its failure means.
import { describe, expect, test } from "bun:test";
import { GumError } from "../../src/base/errors.ts";
import { rules } from "../../src/kernel/rules.ts";
import { examinePipeline } from "../../src/pipeline/load.ts";
import { readPipelineFile } from "../../src/pipeline/read.ts";
import { runPipeline } from "../../src/pipeline/run.ts";
import { shippedPipelines } from "../../src/steps/shipped.ts";
import { createFakeHost } from "../fakes/fake-host.ts";
import { fakeRules, fakeStep, fakeText, loadEdited, valuesOf } from "./fakes.ts";

type Name = keyof typeof shippedPipelines;

function messagesOf(name: Name, text: string): string[] {
  const shipped = (wanted: string): string | undefined => Reflect.get(shippedPipelines, wanted);
  const texts = {
    shipped,
    read: readPipelineFile,
    find: (wanted: string) =>
      wanted === name
        ? { file: `${name}.yaml`, text, edited: true }
        : { file: `${wanted}.yaml`, text: shipped(wanted) ?? "", edited: false },
  };
  return examinePipeline(name, texts, rules).findings.map(({ message }) => message);
}

const withKey = (name: Name, step: string, key: string): string =>
  shippedPipelines[name].replace(`  - step: ${step}\n`, `  - step: ${step}\n    ${key}\n`);

describe("a shipped step stays a check", () => {
  const names = Object.keys(shippedPipelines) as Name[];
  test.each(names)("P7 no step of %s takes another `when`", (name) => {
    for (const { step, keys } of readPipelineFile(name, shippedPipelines[name]).entries) {
      if (keys.when !== undefined) continue;
      const messages = messagesOf(name, withKey(name, step.value, "when: is-dev-profile"));
      expect([step.value, messages.length]).not.toEqual([step.value, 0]);
    }
  });
  test.each(names)("P7 no failure of a step of %s is turned into a warning", (name) => {
    for (const { step, keys } of readPipelineFile(name, shippedPipelines[name]).entries) {
      if (keys.on_error !== undefined) continue;
      const messages = messagesOf(name, withKey(name, step.value, "on_error: warn"));
      expect([step.value, messages.length]).not.toEqual([step.value, 0]);
    }
  });
  test("P7 taking `on_error` away is stricter, and allowed", () => {
    const text = shippedPipelines.install.replace(/ {4}on_error:\n {6}- .*\n/, "");
    expect(text).not.toBe(shippedPipelines.install);
    expect(messagesOf("install", text)).toEqual([]);
  });
  test("P7 optional steps may be added where what they need is there", () => {
    const license = "  - step: require-license\n    with: { allow: [MIT] }\n  - step: confirm-trust\n";
    const more = shippedPipelines.install
      .replace("  - step: confirm-trust\n", license)
      .replace("  - step: hash\n", "  - step: max-size\n    with: { files: 1000 }\n  - step: hash\n");
    expect(messagesOf("install", more)).toEqual([]);
    const early = shippedPipelines.install.replace(
      "  - step: validate\n",
      "  - step: scan-text\n  - step: validate\n",
    );
    expect(messagesOf("install", early)[0]).toBe(
      'Step "scan-text" needs "plugin", which no earlier step gives: put "validate" before it',
    );
  });
});

describe("the end of a run", () => {
  const start = valuesOf("caller", ["profile", "source"]);
  const broken = new GumError("REGISTRY_IO", "the log is full");

  /** The step without what it does. */
  const contractOf = (name: string) => {
    const { run: _, ...contract } = fakeRules.steps[name] ?? fakeStep(name);
    return contract;
  };

  async function runWith(
    { run, ...contract }: NonNullable<Parameters<typeof fakeStep>[1]>,
    signal = new AbortController().signal,
  ) {
    const undone: string[] = [];
    const known = fakeRules.steps;
    const steps = {
      ...known,
      gate: fakeStep("gate", {
        ...contractOf("gate"),
        run: (_, { rollback }) => void rollback.defer(() => void undone.push("gate")),
      }),
      publish: fakeStep("publish", {
        ...contractOf("publish"),
        ...contract,
        ...(run === undefined ? {} : { run }),
      }),
      log: fakeStep("log", {
        ...contractOf("log"),
        run: () => {
          throw broken;
        },
      }),
    };
    const running = runPipeline(loadEdited(fakeText, { ...fakeRules, steps }), start, {
      host: createFakeHost(),
      signal,
    });
    return { thrown: await running.catch((error: unknown) => error), undone };
  }

  test("P13 what was committed is not undone by a failure that comes later", async () => {
    expect(await runWith({ commits: true })).toEqual({ thrown: broken, undone: [] });
  });
  test("P13 without a commit the same failure undoes everything", async () => {
    expect(await runWith({})).toEqual({ thrown: broken, undone: ["gate"] });
  });
  test("P15 an interrupted run ends with the interruption itself, not with an error of the table", async () => {
    const controller = new AbortController();
    const reason = new Error("gum was interrupted");
    const { thrown, undone } = await runWith(
      {
        run: () => {
          controller.abort(reason);
          throw new GumError("SERVICE_DOWN", "its child was ended");
        },
      },
      controller.signal,
    );
    expect([thrown, undone]).toEqual([reason, ["gate"]]);
  });
  test("P3 a step that does not listen to its signal has still used up its time", async () => {
    const host = createFakeHost();
    const slow = fakeStep("gate", { ...contractOf("gate"), run: () => host.clock.advance(50) });
    const text = fakeText.replace("  - step: gate\n", "  - step: gate\n    timeout_ms: 10\n");
    const pipeline = loadEdited(text, { ...fakeRules, steps: { ...fakeRules.steps, gate: slow } });
    const running = runPipeline(pipeline, start, { host, signal: new AbortController().signal });
    const error = await running.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GumError);
    expect((error as GumError).code).toBe("PLUGIN_TIMEOUT");
  });
});
