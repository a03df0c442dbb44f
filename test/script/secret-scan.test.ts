import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createScratch, gumBinary, type Scratch } from "./scratch.ts";

// Characters that every encoding writes in a way of its own.
const planted = {
  session: 'good-pl4nted/session+"ü ✓"',
  apiKey: "good-pl4nted-api-key&=%0815",
  wrong: "bad-pl4nted-session?#",
  passphrase: "pl4nted-passphrase of the credential file",
};

let scratch: Scratch;
let told: string[];

beforeEach(() => {
  scratch = createScratch();
  told = [];
});

afterEach(() => scratch.remove());

describe("a whole story with planted secrets", () => {
  test("T17 nothing that gum writes or prints holds a planted value, in any of its forms", async () => {
    cpSync("test/plugins/two-keys", join(scratch.work, "two-keys"), { recursive: true });
    await gum("config set secrets.backend file");
    await gum("config set secrets.key_file secrets.key");
    await gum("plugin install two-keys --yes --trace");
    const missing = [await gum("plugin run two-keys whoami --json"), await gum("plugin run two-keys whoami")];
    missing.push(await gum("plugin setup two-keys"), await gum("canary --plugin=two-keys --live --json"));
    for (const said of missing) {
      expect(said).toContain("AUTH_REQUIRED");
      expect(said).not.toContain("TWO_KEYS");
    }
    const env = { TWO_KEYS_API_KEY: planted.apiKey };
    const setup = "plugin setup two-keys --from-env --from-stdin session --log-level debug";
    expect(await gum(`${setup} --trace`, { env, stdin: `${planted.wrong}\n` })).toContain("CANARY_FAILED");
    expect(await gum(`${setup} --json --trace=json`, { env, stdin: `${planted.session}\n` })).toContain(
      "active",
    );
    await gum("plugin setup two-keys --check");
    for (const how of ["result", "error", "rpc", "long", "log"]) {
      await gum(`plugin run two-keys leak how=${how} --trace --log-level debug`);
      expect(await gum(`plugin run two-keys leak how=${how} --json --meta --trace=json`)).toContain(
        "two-keys",
      );
    }
    expect(await gum("plugin run two-keys leak how=crash --json --log-level debug")).toContain("[redacted]");
    expect(await gum("plugin logs two-keys")).toContain("starting with [redacted] and [redacted]");
    await gum("plugin reload two-keys --json --trace --log-level debug");
    await gum("canary --plugin=two-keys --live --json");
    await gum("plugin info two-keys --json");
    await gum("config list --json");
    expect(await gum("audit tail")).not.toContain("TWO_KEYS");

    const seen = [...told, ...filesBelow(scratch.root)];
    expect(seen.length).toBeGreaterThan(60);
    for (const form of Object.values(planted).flatMap(formsOf)) {
      expect(seen.filter((text) => text.includes(form)).map((text) => aroundOf(text, form))).toEqual([]);
    }
    expect(readFileSync(join(scratch.data, "audit.jsonl"), "utf8")).not.toContain("TWO_KEYS");
    await gum("plugin remove two-keys --purge --yes");
  }, 60_000);

  test("T17 the search would find each form", () => {
    const text = [
      planted.session,
      encodeURIComponent(planted.session),
      JSON.stringify(planted.session),
      ...[0, 1, 2].map((n) => Buffer.from(`${"x".repeat(n)}${planted.session}`).toString("base64")),
    ].join("\n");
    expect(formsOf(planted.session).filter((form) => !text.includes(form))).toEqual([]);
  });
});

/** The value as it may be written; base64 without the characters that it shares with its neighbours. */
function formsOf(value: string): string[] {
  const base64 = [0, 1, 2].map((n) =>
    Buffer.from(`${"x".repeat(n)}${value}`)
      .toString("base64")
      .slice(4, -4),
  );
  return [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), ...base64];
}

function aroundOf(text: string, form: string): string {
  const at = text.indexOf(form);
  return text.slice(Math.max(0, at - 80), at + form.length + 20);
}

/** Runs gum and remembers everything that it says. */
async function gum(
  line: string,
  more: { env?: Record<string, string>; stdin?: string } = {},
): Promise<string> {
  const child = Bun.spawn([gumBinary, ...line.split(" ")], {
    cwd: scratch.work,
    env: { ...scratch.env, GUM_SECRETS_PASSPHRASE: planted.passphrase, ...more.env },
    stdin: new Blob([more.stdin ?? ""]),
    stdout: "pipe",
    stderr: "pipe",
    timeout: 30_000,
    killSignal: "SIGKILL",
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  told.push(out, err);
  return out + err;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
}
