import { expect, test } from "bun:test";
import { diffText } from "../../src/cli/commands/pipeline/diff.ts";
import { mermaidText, pipelineText } from "../../src/cli/commands/pipeline/show.ts";
import { installText } from "../../src/cli/commands/plugin/install.ts";
import { renderRecord } from "../../src/cli/record.ts";
import { displayWidth, renderTable } from "../../src/cli/table.ts";
import { createTracer } from "../../src/cli/trace.ts";

const header = ["ID", "NAME", "STATUS"];
const rows = [
  ["hello", "Says hello", "active"],
  ["maps", "Maps\tof\nplaces \u001b[31mred", "quarantined"],
];

test("a table is columns under a header for a person, and lines with tabs for a program", () => {
  expect(renderTable(header, rows, { interactive: false, columns: 80 })).toBe(
    "hello\tSays hello\tactive\nmaps\tMaps of places red\tquarantined\n",
  );
  expect(renderTable(header, rows, { interactive: true, columns: 80 })).toBe(
    "ID     NAME                STATUS\nhello  Says hello          active\nmaps   Maps of places red  quarantined\n",
  );
  expect(renderTable(header, [], { interactive: false, columns: 80 })).toBe("");
});

test("a table fits the terminal by shortening its widest column", () => {
  const text = renderTable(header, rows, { interactive: true, columns: 30 });
  expect(text).toBe("ID     NAME        STATUS\nhello  Says hello  active\nmaps   Maps of p…  quarantined\n");
  for (const line of text.trimEnd().split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(30);
});

test("wide characters count twice, joined ones once", () => {
  expect([
    displayWidth("abc"),
    displayWidth("日本"),
    displayWidth("e\u0301"),
    displayWidth("👩‍👩‍👧"),
  ]).toEqual([3, 4, 1, 2]);
});

test("a record is shown as indented lines", () => {
  const record = { id: "hello", tags: [], none: null, deep: { list: ["a", { x: 1, y: [2] }], on: true } };
  expect(renderRecord(record)).toBe(
    "id: hello\ntags: none\nnone: none\ndeep:\n  list:\n    - a\n    - x: 1\n      y:\n        - 2\n  on: true\n",
  );
});

test("P9 --trace prints number, name, mark, milliseconds and a one-line result", () => {
  const trace = createTracer("text");
  expect(trace({ step: "validate", outcome: "ok", ms: 1.234, note: "fli 1.0.0\u001b[0m\nx" }, 3)).toBe(
    " 4 validate             ✓      1.2 ms  fli 1.0.0 x\n",
  );
  expect(
    trace({ step: "deny-env", outcome: "failed", ms: 0, code: "PLUGIN_ENV_PROHIBITED", note: "No." }, 9),
  ).toBe("10 deny-env             ✗      0.0 ms  PLUGIN_ENV_PROHIBITED: No.\n");
  expect(trace({ step: "canary", outcome: "quarantined", ms: 12.5, code: "CANARY_FAILED" }, 0)).toBe(
    " 1 canary               ✗     12.5 ms  quarantined: CANARY_FAILED\n",
  );
  expect(trace({ step: "check-auth", outcome: "skipped", ms: 0 }, 0)).toBe(
    " 1 check-auth           –      0.0 ms  skipped\n",
  );
  expect(trace({ step: "stage", outcome: "would-run", ms: 0 }, 1)).toBe(
    " 2 stage                –              would run\n",
  );
});

test("P9 --trace=json is one object per step", () => {
  const trace = createTracer("json");
  expect(trace({ step: "hash", outcome: "ok", ms: 1.23456, note: "a" }, 0)).toBe(
    '{"number":1,"step":"hash","outcome":"ok","ms":1.235,"note":"a"}\n',
  );
});

const installed = {
  ok: true,
  plugin: "hello",
  version: "1.0.0",
  status: "active",
  dry_run: false,
  generation: 3,
  install_root: "/x",
  quarantine: null,
  warnings: [],
  steps: [],
} as const;

test("an install says what became of the plugin", () => {
  expect(installText(installed)).toBe("Installed hello 1.0.0, generation 3.\n");
  expect(
    installText({
      ...installed,
      status: "quarantined",
      quarantine: { code: "CANARY_FAILED", reason: "It died.\nx" },
    }),
  ).toBe("Installed hello 1.0.0, generation 3.\nIt cannot be called yet: CANARY_FAILED: It died. x\n");
  expect(installText({ ...installed, status: "needs_configuration" })).toContain(
    "run `gum plugin setup hello`",
  );
});

test("P9 a dry run shows the steps that would run", () => {
  const steps = [
    { step: "validate", outcome: "ok", ms: 2 },
    { step: "stage", outcome: "would-run", ms: 0 },
  ] as const;
  expect(installText({ ...installed, status: "not_installed", dry_run: true, generation: null, steps })).toBe(
    "hello 1.0.0 would be installed; nothing was written.\n" +
      " 1 validate             ✓      2.0 ms\n 2 stage                –              would run\n",
  );
});

const view = {
  name: "install",
  summary: "Install.",
  sha256: "ab",
  edited: true,
  file: "p/install.yaml",
  steps: [
    {
      number: 1,
      step: "hash",
      summary: "Hash it.",
      needs: ["staged"],
      gives: ["binding"],
      codes: ["PLUGIN_EXECUTABLE_UNTRUSTED"],
      always: false,
      with: { a: 1 },
      note: "n",
    },
    {
      number: 2,
      step: "audit",
      summary: "Write it down.",
      needs: [],
      gives: [],
      codes: [],
      always: true,
      when: "is-esm",
    },
  ],
} as const;

test("P8 a pipeline is shown with needs, gives, codes and where it was edited", () => {
  expect(pipelineText(view)).toBe(
    [
      "install: Install.",
      "edited: p/install.yaml",
      "sha256: ab",
      "",
      " 1. hash: Hash it.",
      "      needs: staged",
      "      gives: binding",
      "      codes: PLUGIN_EXECUTABLE_UNTRUSTED",
      '      with: {"a":1}',
      "      note: n",
      " 2. audit (when is-esm) (always): Write it down.",
      "",
    ].join("\n"),
  );
});

test("P8 a pipeline is drawn as a flow chart", () => {
  expect(mermaidText(view)).toBe(
    [
      "flowchart TD",
      '  s1["1. hash"]',
      '  s1 -->|"binding"| s2',
      '  s1 -.-> x1("PLUGIN_EXECUTABLE_UNTRUSTED")',
      '  s2["2. audit"]',
      "",
    ].join("\n"),
  );
});

test("P8 differences are listed under their pipeline", () => {
  expect(diffText([])).toBe("No pipeline differs from the shipped one.\n");
  const changes = [{ kind: "removed", step: "audit", text: "- audit" }] as const;
  expect(diffText([{ pipeline: "install", changes }])).toBe("install:\n  - audit\n");
});
