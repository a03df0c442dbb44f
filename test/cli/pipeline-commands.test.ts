import { expect, test } from "bun:test";
import * as v from "valibot";
import { cliSchemas } from "../../src/cli/schemas.ts";
import { createScratch } from "./real-world.ts";
import { gum } from "./world.ts";

function answer(model: string, out: string) {
  const value = JSON.parse(out);
  expect(v.safeParse(cliSchemas[`cli/${model}.v1`] ?? v.never(), value).issues).toBeUndefined();
  return value;
}

test("P8 list, show and lint answer for the shipped pipelines", async () => {
  const list = answer("pipeline-list", (await gum(["pipeline", "list", "--json"])).out);
  expect(list.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(["install", "validate", "dispatch"]),
  );
  expect((await gum(["pipeline", "list"])).out).toMatch(/^install\t\d+\tshipped\tTake a plugin/);
  const show = answer("pipeline-show", (await gum(["pipeline", "show", "install", "--json"])).out);
  expect(show.steps[0]).toMatchObject({ number: 1, step: "fetch" });
  expect((await gum(["pipeline", "show", "install"])).out).toContain("\n 1. fetch (when not-a-folder): ");
  expect((await gum(["pipeline", "show", "install", "--format", "yaml"])).out).toContain(
    "\npipeline: install\n",
  );
  expect((await gum(["pipeline", "show", "install", "--format", "mermaid"])).out).toStartWith(
    "flowchart TD\n",
  );
  expect(answer("pipeline-lint", (await gum(["pipeline", "lint", "--json"])).out)).toMatchObject({
    ok: true,
    findings: [],
  });
});

test("P8 an unknown pipeline is refused with the nearest", async () => {
  const { code, err } = await gum(["pipeline", "show", "instal"]);
  expect([code, err.split("\n")[0]]).toEqual([
    2,
    'gum: error USAGE: There is no pipeline "instal": did you mean "install"?',
  ]);
});

test("P6 P8 exported copies are edited, compared, checked and shown as edited", async () => {
  await using scratch = createScratch();
  const exported = answer(
    "pipeline-export",
    (await scratch.gum(["pipeline", "export", "mine", "--json"])).out,
  );
  expect(exported.files[0]).toBe(`${scratch.folder}/mine/install.yaml`);
  const schema = Bun.file(`${scratch.folder}/mine/pipeline.v1.schema.json`);
  expect((await schema.json()).$id).toBe("urn:gum:pipeline.v1");
  expect((await Bun.file(`${scratch.folder}/mine/install.yaml`).text()).split("\n", 1)).toEqual([
    "# yaml-language-server: $schema=pipeline.v1.schema.json",
  ]);
  expect((await scratch.gum(["pipeline", "export", "mine"])).code).toBe(2);
  expect((await scratch.gum(["pipeline", "diff", "mine"])).out).toBe(
    "No pipeline differs from the shipped one.\n",
  );

  const file = Bun.file(`${scratch.folder}/mine/install.yaml`);
  const text = await file.text();
  await file.write(text.replace("  - step: stage\n", '  - step: stage\n    note: "watch this"\n'));
  const changed = answer("pipeline-diff", (await scratch.gum(["pipeline", "diff", "mine", "--json"])).out);
  expect(changed[0]).toMatchObject({ pipeline: "install", changes: [{ kind: "changed", step: "stage" }] });
  expect((await scratch.gum(["pipeline", "diff", "mine"])).out).toStartWith("install:\n  ~ stage");
  expect((await scratch.gum(["pipeline", "show", "install", "--pipelines", "mine"])).out).toContain(
    "\nedited: ",
  );

  await file.write(text.replace("  - step: deny-env\n", ""));
  const broken = await scratch.gum(["pipeline", "lint", "mine"]);
  expect([broken.code, broken.out]).toEqual([2, ""]);
  expect(broken.err).toMatch(
    /^gum: error PIPELINE_INVALID: .*deny-env[\s\S]*\n {2}at .*mine\/install\.yaml:\d+:\d+/,
  );
  const json = await scratch.gum(["pipeline", "lint", "mine", "--json"]);
  expect([json.code, answer("pipeline-lint", json.out).ok]).toEqual([2, false]);
});
