import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createScratch, gumBinary, type Scratch } from "./scratch.ts";

const session = "good-session-typed-4711";
const apiKey = "good-key-typed-0815";
const seconds = 25;

let scratch: Scratch;

beforeEach(async () => {
  scratch = createScratch();
  cpSync("test/plugins/two-keys", join(scratch.work, "two-keys"), { recursive: true });
  for (const words of [
    ["config", "set", "secrets.backend", "file"],
    ["config", "set", "secrets.key_file", "secrets.key"],
    ["plugin", "install", "two-keys", "--yes"],
  ]) {
    expect((await gum(...words)).code).toBe(0);
  }
});

afterEach(() => scratch.remove());

describe("credentials that are typed at a terminal", () => {
  test("T16 they are asked for by name and hint, nothing of them is shown, and the plugin is active", async () => {
    const { shown, exit, restored } = await type(
      ["plugin", "setup", "two-keys"],
      [
        ["session (not shown): ", `${session}\n`],
        ["api_key (not shown): ", `${apiKey}\r`],
      ],
    );
    expect(exit).toBe(0);
    expect(shown).toContain("Two keys session: Copy it from the account page; it is what session holds.");
    expect(shown).toContain("passed its live canary");
    expect(shown).not.toContain("typed");
    expect(shown).not.toContain("TWO_KEYS");
    expect(restored).toBe(true);
    expect((await gum("plugin", "run", "two-keys", "whoami")).out).toContain('"user":"ada"');
  });

  test("T16 a paste with a line break, backspace and a marked paste of two lines work", async () => {
    const { exit, shown } = await type(
      ["plugin", "setup", "two-keys"],
      [
        ["session (not shown): ", `${session}XY\u007f\u007f\r\n`],
        ["api_key (not shown): ", `\u001b[200~${apiKey}\r\nsecond line\r\n\u001b[201~\r`],
      ],
    );
    expect([exit, shown.includes("typed")]).toEqual([0, false]);
    expect(shown).toContain("passed its live canary");
  });

  test("T16 both values pasted at once are taken one after the other, and none is shown", async () => {
    const { exit, shown } = await type(
      ["plugin", "setup", "two-keys"],
      [["session (not shown): ", `${session}\n${apiKey}\n`]],
    );
    expect([exit, shown.includes("typed")]).toEqual([0, false]);
  });

  test("T16 Ctrl-C leaves nothing: no value, no changed status, a terminal as it was, exit 130", async () => {
    const before = readFileSync(join(scratch.data, "plugin-state.json"), "utf8");
    const { exit, shown, restored } = await type(
      ["plugin", "setup", "two-keys"],
      [
        ["session (not shown): ", `${session}\n`],
        ["api_key (not shown): ", "half\u0003"],
      ],
    );
    expect([exit, restored, shown.includes("typed"), shown.includes("half")]).toEqual([
      130,
      true,
      false,
      false,
    ]);
    expect(existsSync(join(scratch.data, "secrets.json"))).toBe(false);
    expect(readFileSync(join(scratch.data, "plugin-state.json"), "utf8")).toBe(before);
  });

  test("T16 Enter alone keeps what is there already, and Ctrl-D gives up", async () => {
    const keys: Keys = [
      ["session (not shown): ", `${session}\n`],
      ["api_key (not shown): ", `${apiKey}\n`],
    ];
    expect((await type(["plugin", "setup", "two-keys"], keys)).exit).toBe(0);
    const kept = await type(
      ["plugin", "setup", "two-keys"],
      [
        ["session (not shown; Enter keeps what is in the file): ", "\r"],
        ["api_key (not shown; Enter keeps what is in the file): ", "\r"],
      ],
    );
    expect([kept.exit, kept.left]).toEqual([0, 0]);
    const gone = await type(["plugin", "setup", "two-keys"], [["session (not shown", "\u0004"]]);
    expect([gone.exit, gone.shown.includes("AUTH_REQUIRED")]).toEqual([7, true]);
  });

  test("L5 without a terminal nobody is asked: what is missing is an error that names the flags' command", async () => {
    const { code, err } = await gum("plugin", "setup", "two-keys");
    expect([code, err.includes("AUTH_REQUIRED"), err.includes("gum plugin setup two-keys")]).toEqual([
      7,
      true,
      true,
    ]);
  });

  test("T16 --from-stdin takes a value without its line break, --check tells and --forget forgets", async () => {
    const env = { TWO_KEYS_API_KEY: apiKey };
    const set = await gumWith(
      { env, stdin: `${session}\n` },
      "plugin",
      "setup",
      "two-keys",
      "--from-env",
      "--from-stdin",
      "session",
      "--json",
    );
    expect(JSON.parse(set.out)).toMatchObject({ ok: true, status: "active", stored: ["session", "api_key"] });
    const check = await gum("plugin", "setup", "two-keys", "--check");
    expect([check.code, check.out]).toEqual([
      0,
      "two-keys is active; the file is open\n" +
        "  session\tfile\tTwo keys session\n" +
        "  api_key\tfile\tTwo keys API key\n",
    ]);
    expect((await gum("plugin", "setup", "two-keys", "--forget")).out).toBe(
      "Forgot session, api_key; two-keys is needs_configuration.\n",
    );
    expect((await gum("plugin", "setup", "two-keys", "--check")).code).toBe(7);
    expect((await gum("plugin", "setup", "two-keys", "--check", "--forget")).code).toBe(2);
  });
});

type Keys = readonly (readonly [seen: string, typed: string])[];

/** Runs gum at a terminal of its own; each text is typed once the one before it has been seen. */
async function type(words: readonly string[], keys: Keys) {
  const plan = { argv: [gumBinary, ...words], env: scratch.env, cwd: scratch.work, keys, seconds };
  const child = Bun.spawn(["python3", "test/probes/type-at.py"], {
    stdin: new Blob([JSON.stringify(plan)]),
    stdout: "pipe",
    stderr: "inherit",
    timeout: (seconds + 10) * 1000,
    killSignal: "SIGKILL",
  });
  const [out] = await Promise.all([child.stdout.text(), child.exited]);
  return JSON.parse(out) as { shown: string; restored: boolean; left: number; exit: number };
}

const gum = (...words: string[]) => gumWith({}, ...words);

async function gumWith(more: { env?: Record<string, string>; stdin?: string }, ...words: string[]) {
  const child = Bun.spawn([gumBinary, ...words], {
    cwd: scratch.work,
    env: { ...scratch.env, ...more.env },
    stdin: new Blob([more.stdin ?? ""]),
    stdout: "pipe",
    stderr: "pipe",
    timeout: seconds * 1000,
    killSignal: "SIGKILL",
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { out, err, code };
}
