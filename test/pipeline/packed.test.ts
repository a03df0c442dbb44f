import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/base/digest.ts";
import { createHost } from "../../src/host/real.ts";
import { pipelineNames, readPipelineTexts } from "../../src/kernel/pipeline-texts.ts";
import { packPipelineFile, unpackPipelineFile } from "../../src/pipeline/packed.ts";
import { readPipelineFile } from "../../src/pipeline/read.ts";
import { shippedPipelines } from "../../src/steps/shipped.ts";
import { tempFolder } from "../registry/support.ts";

describe("pipelines that were parsed when gum was built", () => {
  test("P2 what is kept of each shipped pipeline is what its text says", async () => {
    const texts = await readPipelineTexts(createHost().files, undefined);
    const stale = pipelineNames.filter((name) => {
      const file = `pipelines/${name}.yaml`;
      const known = texts.read(file, shippedPipelines[name]);
      return !Bun.deepEquals(known, readPipelineFile(file, shippedPipelines[name]));
    });
    // After a change in pipelines/: make generate
    expect(stale).toEqual([]);
  });

  test("P4 packing keeps every value with its place", () => {
    const text = shippedPipelines.install;
    const read = readPipelineFile("install.yaml", text);
    const packed = JSON.parse(JSON.stringify(packPipelineFile(read, sha256(text))));
    expect(unpackPipelineFile(packed, "install.yaml", text)).toEqual(read);
  });

  test("P6 an edited text is never taken for the shipped one", async () => {
    using folder = tempFolder();
    const text = shippedPipelines.dispatch.replace("version: 1", "version: 2");
    writeFileSync(join(folder.path, "dispatch.yaml"), text);
    const texts = await readPipelineTexts(createHost().files, folder.path);
    expect(texts.read("dispatch.yaml", texts.find("dispatch")?.text ?? "").keys.version?.value).toBe(2);
    expect(texts.read("dispatch.yaml", texts.shipped("dispatch") ?? "").keys.version?.value).toBe(1);
  });
});
