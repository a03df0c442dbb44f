// Writes src/steps/shipped-parsed.json from pipelines/, or with --check fails when it is stale.
//   bun src/dev/pack-pipelines.ts [--check]
import { readFileSync, writeFileSync } from "node:fs";
import { sha256 } from "../base/digest.ts";
import { packPipelineFile } from "../pipeline/packed.ts";
import { readPipelineFile } from "../pipeline/read.ts";
import { shippedPipelines } from "../steps/shipped.ts";

const target = "src/steps/shipped-parsed.json";

/** Every shipped pipeline as it is parsed, by name. */
export function packedText(): string {
  const packed = Object.entries(shippedPipelines).map(([name, text]) => {
    const file = readPipelineFile(`pipelines/${name}.yaml`, text);
    const [fault] = file.findings;
    if (fault !== undefined) throw new Error(`${name}.yaml: ${fault.message}`);
    return [name, packPipelineFile(file, sha256(text))] as const;
  });
  const lines = packed.map(([name, file]) => `${JSON.stringify(name)}: ${JSON.stringify(file)}`);
  return `{\n${lines.join(",\n")}\n}\n`;
}

if (import.meta.main) {
  const text = packedText();
  if (!process.argv.includes("--check")) writeFileSync(target, text);
  else if (readFileSync(target, "utf8") !== text) {
    console.error(`${target} is stale: run \`make generate\``);
    process.exit(1);
  }
}
