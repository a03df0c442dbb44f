import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { gum } from "./world.ts";

/** What bash offers at the end of a command line, by the script that gum prints. */
async function offers(...words: string[]): Promise<string[]> {
  const { out } = await gum(["completion", "bash"]);
  const list = words.map((word) => `'${word}'`).join(" ");
  const script = `${out}\nCOMP_WORDS=(gum ${list}); COMP_CWORD=${words.length}; _gum; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync("bash", ["--norc", "-c", script], {
    encoding: "utf8",
    timeout: 10_000,
  });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.split("\n").filter((line) => line !== "");
}

describe("the script for bash", () => {
  test("offers commands, then verbs, then flags", async () => {
    expect(await offers("")).toContain("plugin");
    expect(await offers("pl")).toEqual(["plugin"]);
    expect(await offers("plugin", "")).toEqual(
      expect.arrayContaining(["install", "validate", "list", "run"]),
    );
    expect(await offers("plugin", "install", "./x", "--dry")).toEqual(["--dry-run"]);
    expect(await offers("completion", "z")).toEqual(["zsh"]);
  });

  test("L4 offers topics, schemas and pipelines by name", async () => {
    expect(await offers("help", "exit")).toEqual(["exit-codes"]);
    expect(await offers("schema", "manifest.n")).toEqual(["manifest.nested.v1"]);
    expect(await offers("pipeline", "show", "dis")).toEqual(["dispatch"]);
  });

  test("offers the values of a flag, and passes over them when it looks for the command", async () => {
    expect(await offers("plugin", "install", "--canary", "h")).toEqual(["handshake"]);
    expect(await offers("plugin", "install", "--canary", "=", "sk")).toEqual(["skip"]);
    expect(await offers("--profile", "dev", "pipeline", "sh")).toEqual(["show"]);
    expect(await offers("--profile", "")).toEqual([]);
  });
});

test("the scripts for zsh and fish name every command with its summary", async () => {
  const zsh = (await gum(["completion", "zsh"])).out;
  expect(zsh).toStartWith("#compdef gum\n");
  expect(zsh).toContain("'install:Install a plugin from a folder, an archive, an address or a repository.'");
  expect(zsh).toContain(`'info:Show everything the registry knows about a plugin.'`);
  const fish = (await gum(["completion", "fish"])).out;
  expect(fish).toMatch(
    /^complete -c gum -n '__fish_seen_subcommand_from plugin; and not __fish_seen_subcommand_from install validate [a-z -]+' -f -a 'install' -d 'Install a plugin from a folder, an archive, an address or a repository\.'$/m,
  );
  expect(fish).toContain("-l canary -r -f -a 'live handshake skip'");
});

test("another shell is refused with the ones there are", async () => {
  const { code, err } = await gum(["completion", "csh"]);
  expect(code).toBe(2);
  expect(err).toStartWith('gum: error USAGE: The argument <shell> is bash, zsh or fish, not "csh"');
});
