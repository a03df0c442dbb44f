import { describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHost } from "../../src/host/real.ts";
import { commandWords, googleToken } from "../../src/steps/google-token.ts";

const signal = new AbortController().signal;

/** A program of the test's own, in a folder that is the whole PATH. */
function program(script: string) {
  const folder = mkdtempSync(join(tmpdir(), "gum-token-"));
  const path = join(folder, "print-token");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  const host = { ...createHost(), env: { PATH: folder, GUM_SECRETS_PASSPHRASE: "no", KEPT: "yes" } };
  return { host, path, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

describe("the command for Google access tokens", () => {
  test("T18 what it prints is the token; it runs without a shell and without what steers gum", async () => {
    using at = program('printf "ya29.%s.%s.%s.\\n" "$1" "$KEPT" "$GUM_SECRETS_PASSPHRASE"');
    expect(await googleToken(at.host, ["print-token", "$HOME;x"], signal)).toEqual({
      value: "ya29.$HOME;x.yes..",
    });
    expect(await googleToken(at.host, [`${at.path} 'a'"b"`], signal)).toEqual({ value: "ya29.ab.yes.." });
  });

  test("T18 a failure, silence, too much, a refresh token and a key file are no access token, and are not quoted", async () => {
    const said: string[] = [];
    for (const script of [
      "echo ya29.secret; echo ya29.secret >&2; exit 3",
      "true",
      "head -c 5000 /dev/zero | tr '\\0' x",
      "echo 1//refresh-token",
      'echo \'{"private_key":"x"}\'',
      "printf 'ya29.a ya29.b'",
    ]) {
      using at = program(script);
      const answer = await googleToken(
        { ...at.host, env: { PATH: `${at.host.env.PATH}:/usr/bin:/bin` } },
        ["print-token"],
        signal,
      );
      said.push("fault" in answer ? answer.fault : `token ${answer.value}`);
    }
    const named = "The command of auth.google_access_token_command";
    expect(said).toEqual([
      `${named} ended with exit code 3.`,
      `${named} printed nothing.`,
      `${named} printed no access token.`,
      `${named} printed something other than a short-lived access token.`,
      `${named} printed something other than a short-lived access token.`,
      `${named} printed no access token.`,
    ]);
  });

  test("T18 a command that is not there or not configured is told", async () => {
    using at = program("true");
    expect(await googleToken(at.host, [], signal)).toEqual({
      fault: "No command for Google access tokens is configured.",
    });
    for (const command of ["nowhere", "./print-token"]) {
      expect(await googleToken(at.host, [command], signal)).toMatchObject({
        fault: expect.stringContaining("was not found"),
      });
    }
    expect(await googleToken(at.host, ["/nonexistent/program"], signal)).toMatchObject({
      fault: expect.stringContaining("cannot be started"),
    });
  });

  test("T18 one text is split into words, a list is taken as it is", () => {
    expect(commandWords(["gcloud auth  print-access-token"])).toEqual([
      "gcloud",
      "auth",
      "print-access-token",
    ]);
    expect(commandWords(["my program", "an arg"])).toEqual(["my program", "an arg"]);
    expect(commandWords(["'/opt/my tools/token' --scope=\"a b\""])).toEqual([
      "/opt/my tools/token",
      "--scope=a b",
    ]);
    expect(commandWords([])).toEqual([]);
  });
});
