import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runCli } from "../../src/cli/run.ts";
import { createFakeHost } from "../fakes/fake-host.ts";
import { gum } from "./world.ts";

test("L4 without a command gum prints its help and exits 0", async () => {
  for (const words of [[], ["--help"], ["-h"], ["--no-color"]]) {
    const { code, out, err } = await gum(words);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("Usage:\n  gum <command> [flags]\n");
    expect(out).toMatch(
      /^ {2}plugin install +Install a plugin from a folder, an archive, an address or a repository\.$/m,
    );
  }
});

test("L4 a group without a verb prints the group's help and exits 2", async () => {
  const { code, out, err } = await gum(["plugin"]);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain("Usage:\n  gum plugin <command> [flags]\n");
  const asked = await gum(["plugin", "--help"]);
  expect([asked.code, asked.err, asked.out]).toEqual([0, "", err]);
});

test("L4 unknown commands, verbs and flags are refused with the nearest name", async () => {
  const cases: readonly (readonly [string[], string])[] = [
    [["plugn"], 'There is no command "plugn": did you mean "plugin"?'],
    [["plugin", "instal", "x"], 'There is no command "plugin instal": did you mean "plugin install"?'],
    [["toString"], 'There is no command "toString".'],
    [["plugin", "constructor"], 'There is no command "plugin constructor".'],
    [["--versoin"], 'Unknown flag "--versoin": did you mean "--version"?'],
    [["--jsn"], 'Unknown flag "--jsn": did you mean "--json"?'],
    [["plugin", "list", "--jsno"], 'Unknown flag "--jsno": did you mean "--json"?'],
    [["version", "now"], 'Nothing is expected after the last argument, but "now" is there.'],
    [["schema", "lst"], 'There is no schema "lst".'],
  ];
  for (const [words, message] of cases) {
    const { code, out, err } = await gum(words);
    expect([words, code, out, err.split("\n")[0]]).toEqual([words, 2, "", `gum: error USAGE: ${message}`]);
  }
});

test("L4 flags may stand before the command", async () => {
  for (const words of [
    ["--json", "version"],
    ["version", "--json"],
    ["--format", "json", "version"],
    ["--profile", "plugin", "--format=json", "version"],
    ["--no-color", "version", "--json"],
  ]) {
    const { code, out } = await gum(words);
    expect([words, code, JSON.parse(out).version]).toEqual([words, 0, "0.3.0"]);
  }
  const { err } = await gum(["--yes", "--owner", "me", "plugin", "install", "--canary", "lve", "x"]);
  expect(err).toStartWith('gum: error USAGE: The flag --canary takes live, handshake or skip, not "lve"');
});

test("gum version prints the version alone and opens nothing", async () => {
  let opened = 0;
  const lines: string[] = [];
  const world = {
    print: (line: string) => void lines.push(line),
    openHost: async () => {
      opened++;
      return createFakeHost();
    },
    interruption: () => new AbortController().signal,
    stoppedBy: () => undefined,
  };
  expect(await runCli(["version"], world)).toBe(0);
  expect(await runCli(["--version"], world)).toBe(0);
  expect([lines, opened]).toEqual([["0.3.0", "0.3.0"], 0]);
});

test("the protocol versions of gum version are those of the SDK", async () => {
  const { SUPPORTED_PROTOCOL_VERSIONS } = await import("@modelcontextprotocol/sdk/types.js");
  const { out } = await gum(["version", "--json"]);
  expect(JSON.parse(out).protocols.mcp).toEqual(SUPPORTED_PROTOCOL_VERSIONS);
});

test("L2 with --json a failure is one object on stdout and nothing on stderr", async () => {
  const { code, out, err } = await gum(["plugin", "instal", "x", "--json"]);
  expect([code, err]).toEqual([2, ""]);
  expect(JSON.parse(out)).toEqual({
    success: false,
    error_code: "USAGE",
    error: 'There is no command "plugin instal": did you mean "plugin install"?',
    retryable: false,
    plugin: null,
    op_id: null,
    hint: "see `gum --help`",
  });
  expect(JSON.parse((await gum(["plugin", "--json"])).out).error_code).toBe("USAGE");
});

test("L1 an unknown failure is INTERNAL_ERROR, exits 1, and shows its stack only on --log-level debug", async () => {
  const host = createFakeHost();
  const world = {
    print: () => {
      throw new RangeError("the printer burns");
    },
    openHost: async () => host,
    interruption: () => new AbortController().signal,
    stoppedBy: () => undefined,
  };
  expect(await runCli(["version"], world)).toBe(1);
  expect(host.terminal.said.err).toBe(
    "gum: error INTERNAL_ERROR: Unexpected failure: the printer burns\n  next: run again with --log-level debug and report it\n",
  );
  expect(await runCli(["version", "--log-level", "debug"], world)).toBe(1);
  expect(host.terminal.said.err).toMatch(/\n\s+at .*run\.test\.ts/);
});

test("L1 a stopped command exits by its signal, whatever it failed with", async () => {
  for (const [how, expected, words] of [
    ["hungUp", 129, "hung up"],
    ["interrupted", 130, "interrupted"],
    ["quit", 131, "told to quit"],
    ["terminated", 143, "terminated"],
  ] as const) {
    const host = createFakeHost();
    const code = await runCli(["help", "nothing-like-this"], {
      print: () => undefined,
      openHost: async () => host,
      interruption: () => new AbortController().signal,
      stoppedBy: () => how,
    });
    expect([code, host.terminal.said]).toEqual([
      expected,
      { out: "", err: `gum: ${words}\n`, questions: [] },
    ]);
  }
});

test("L2 with --json a stopped command says so in one object without a code", async () => {
  const host = createFakeHost();
  const code = await runCli(["help", "nothing-like-this", "--json"], {
    print: () => undefined,
    openHost: async () => host,
    interruption: () => new AbortController().signal,
    stoppedBy: () => "interrupted",
  });
  const { out, err } = host.terminal.said;
  expect([code, err, JSON.parse(out)]).toEqual([
    130,
    "",
    { success: false, interrupted: true, signal: "SIGINT", error: "gum was interrupted." },
  ]);
});

test("L4 -- ends the flags, also before the command", async () => {
  expect((await gum(["--", "version"])).out).toBe("0.3.0\n");
  expect((await gum(["--", "help", "exit-codes"])).code).toBe(0);
  const none = await gum(["--"]);
  expect([none.code, none.out.split("\n", 1)[0]]).toEqual([
    0,
    "gum hosts plugins for MCP: it installs them, confines them, and calls their tools.",
  ]);
});

test("L4 a flag is named as it was written, and a long word is cut", async () => {
  const off = await gum(["plugin", "run", "x", "y", "--no-cache=false"]);
  expect(off.err).toStartWith("gum: error USAGE: The flag --no-cache takes no value.");
  const long = "a".repeat(100_000);
  for (const words of [[long], ["plugin", long], ["plugin", "list", long], [`--${long}`, "version"]]) {
    const { code, err } = await gum(words);
    expect([code, err.length < 400]).toEqual([2, true]);
  }
  const name = await gum(["plugin", "list", "--profile", "höhe/"]);
  expect(name.err).toStartWith('gum: error USAGE: "höhe/" cannot be the name of a profile.');
});

test("L2 help is one object with --json, wherever it is asked for", async () => {
  const help = async (...words: string[]) => JSON.parse((await gum([...words, "--json"])).out);
  expect((await help("plugin", "install", "--help")).topic).toBe("plugin install");
  expect((await help("plugin", "--help")).topic).toBe("plugin");
  expect((await help()).topics).toContain("errors");
});

test("L2 gum help shows the page and the commands of a word that is both", async () => {
  const { out } = await gum(["help", "sandbox"]);
  expect(out).toStartWith("# The sandbox\n");
  expect(out).toContain(
    "\nProve what the sandbox refuses on this machine.\n\nUsage:\n  gum sandbox <command>",
  );
});

test("E3 a refused command line is told in one sentence, without a stack or a path of the source", async () => {
  const root = join(import.meta.dir, "../..");
  for (const words of [
    ["nothing"],
    ["plugin", "nothing"],
    ["plugin", "install"],
    ["plugin", "install", "/nowhere/at/all", "--yes"],
    ["plugin", "install", "x", "--timeout"],
    ["plugin", "run", "hello"],
    ["plugin", "run", "hello", "greet", "{"],
    ["plugin", "info", "hello"],
    ["pipeline", "show", "nothing"],
    ["pipeline", "lint", "/nowhere"],
    ["plugin", "list", "--profile", "../up"],
    ["schema", "nothing"],
    ["help", "nothing"],
    ["completion", "sh"],
  ]) {
    const { code, out, err } = await gum([...words, "--json"]);
    const { error, error_code } = JSON.parse(out);
    expect([words, code > 0, err, error_code !== "INTERNAL_ERROR"]).toEqual([words, true, "", true]);
    expect(error).toMatch(/^[A-Z"<-][^\n]*[.?]$/);
    expect(error).not.toContain(root);
    expect(error).not.toMatch(/[.!?] [A-Z]|\bat \S+:\d+:\d+/);
  }
});

test("M36 gum schema prints a published schema as it stands in schemas/", async () => {
  const names = (await gum(["schema", "list"])).out.trimEnd().split("\n");
  expect(names).toContain("manifest.v1");
  expect(JSON.parse((await gum(["schema", "list", "--json"])).out)).toEqual(names);
  for (const name of names) {
    const text = readFileSync(join(import.meta.dir, "../../schemas", `${name}.schema.json`), "utf8");
    expect((await gum(["schema", name])).out).toBe(text);
    expect(JSON.parse((await gum(["schema", name, "--json"])).out)).toEqual(JSON.parse(text));
  }
  const { err } = await gum(["schema", "manifest.v2"]);
  expect(err).toContain("next: see `gum schema list`");
});
