import { expect, test } from "bun:test";
import { Glob } from "bun";
import { steps } from "../../src/steps/table.ts";

/** Files of src/steps that are no step. */
const others = ["contracts.ts", "dispatch-table.ts", "predicates.ts", "shipped.ts", "table.ts"];

test("P11 every step stands in a file of its own name and says what it does", async () => {
  const faults: string[] = [];
  for (const [name, step] of Object.entries(steps)) {
    const file = Bun.file(`src/steps/${name}.ts`);
    const text = (await file.exists()) ? await file.text() : "";
    if (!text.includes(`name: "${name}"`)) faults.push(`${name}: has no file of that name`);
    if (!/^[A-Z].*\.$/.test(step.summary))
      faults.push(`${name}: the summary is no sentence: ${step.summary}`);
  }
  expect(faults).toEqual([]);
});

test("P11 every file that defines a step is in the table", async () => {
  const files = [...new Glob("*.ts").scanSync("src/steps")].filter((file) => !others.includes(file));
  const defining = await Promise.all(
    files.map(async (file) =>
      (await Bun.file(`src/steps/${file}`).text()).includes("defineStep(") ? file : "",
    ),
  );
  const missing = defining.filter((file) => file !== "" && !(file.replace(/\.ts$/, "") in steps));
  expect(missing).toEqual([]);
});
