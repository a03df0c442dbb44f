import { expect, test } from "bun:test";
import { consentAsker } from "../../src/cli/consent.ts";
import type { ConsentSummary } from "../../src/model/consent.ts";
import { createFakeTerminal } from "../fakes/fake-terminal.ts";

const summary: ConsentSummary = {
  id: "fli",
  name: "Flights \u001b[2J",
  version: "1.2.0",
  owner: "io.example.flights",
  source: "/home/user/fli",
  signed_by: "0123456789abcdef",
  license: "MIT",
  tos_status: null,
  risk: "low",
  tools: [
    { name: "search", risk_class: "read" },
    { name: "book", risk_class: "write" },
    { name: "cancel", risk_class: "destructive" },
    { name: "watch", risk_class: "read" },
  ],
  network: true,
  writes: "its own data folder",
  env: ["LANG", "FLI_KEY"],
  credentials: ["Flight key"],
  granted: { read: ["/srv/maps"], write: [], shm: true, capabilities: ["files.read"] },
  requested: { read: [], write: ["/srv/out"], shm: false },
};
const signal = new AbortController().signal;

test("T34 the whole summary is shown before the question", async () => {
  const terminal = createFakeTerminal({ interactive: true, answers: ["y"] });
  expect(await consentAsker(terminal, signal)(summary, undefined)).toBe(true);
  expect(terminal.said).toEqual({
    out: "",
    err: [
      "Installing a plugin runs somebody's code as you.",
      "  Plugin              Flights (fli) 1.2.0",
      "  Owner               io.example.flights",
      "  Source              /home/user/fli",
      "  Signed by           key 0123456789abcdef",
      "  License             MIT",
      "  Terms               not stated",
      "  Risk                low",
      "  Tools, read         search, watch",
      "  Tools, write        book",
      "  Tools, destructive  cancel",
      "  Network             yes",
      "  Writes              its own data folder",
      "  Environment         LANG, FLI_KEY",
      "  Credentials         Flight key",
      "  You grant           read /srv/maps, shared memory, capability files.read",
      "  It also asks        write /srv/out",
      "",
    ].join("\n"),
    questions: ["Install fli 1.2.0? [y/N] "],
  });
});

test("T34 where the answer is known the summary is shown and nothing asked", async () => {
  for (const answered of ["flag", "dev-profile"] as const) {
    const terminal = createFakeTerminal({ interactive: true, answers: [] });
    expect(await consentAsker(terminal, signal)(summary, answered)).toBe(true);
    expect(terminal.said.err).toContain("Owner               io.example.flights");
    expect(terminal.said.questions).toEqual([]);
  }
});

test("L5 only a yes is a yes", async () => {
  for (const [answers, expected] of [
    [["y"], true],
    [[" YES "], true],
    [["n"], false],
    [[""], false],
    [["yep"], false],
    [[], false],
  ] as const) {
    const terminal = createFakeTerminal({ interactive: true, answers });
    expect([answers, await consentAsker(terminal, signal)(summary, undefined)]).toEqual([answers, expected]);
  }
});

test("L5 nothing is shown and nothing asked where nobody could answer", async () => {
  for (const interactive of [false, { stdin: true }, { stderr: true }, { stdout: true, stdin: true }]) {
    const terminal = createFakeTerminal({ interactive, answers: ["y"] });
    expect(await consentAsker(terminal, signal)(summary, undefined)).toBe("no-terminal");
    expect(terminal.said).toEqual({ out: "", err: "", questions: [] });
  }
});
