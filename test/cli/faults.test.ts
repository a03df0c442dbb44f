import { afterAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "gum-faults-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function gum(
  words: readonly string[],
  how: { readonly env?: Record<string, string>; readonly stdout?: number } = {},
): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "src/main.ts"), ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...how.env },
    stdio: ["ignore", how.stdout ?? "pipe", "pipe"],
    encoding: "utf8",
    timeout: 20_000,
  });
  return { code: status, out: stdout ?? "", err: stderr };
}

/** The code and the sentence that --json tells, with the exit code. */
function failure(words: readonly string[], env: Record<string, string> = {}): readonly unknown[] {
  const { code, out } = gum([...words, "--json"], { env });
  const { error_code, error, hint } = JSON.parse(out);
  expect(hint).toBeString();
  return [code, error_code, error];
}

test("L2 an answer that cannot be written is one line on stderr and exit 1", () => {
  for (const words of [["version"], ["plugin", "list", "--json"], ["nothing", "--json"], ["help"]]) {
    const full = openSync("/dev/full", "w");
    expect(gum(words, { stdout: full })).toEqual({
      code: 1,
      out: "",
      err: "gum: error: cannot write the answer to stdout: ENOSPC: no space left on device, write\n",
    });
  }
  const piped = spawnSync(
    "bash",
    ["-c", `"$0" "$1" help commands | head -1`, process.execPath, join(root, "src/main.ts")],
    {
      cwd: folder,
      encoding: "utf8",
      timeout: 20_000,
    },
  );
  expect([piped.stdout, piped.stderr]).toEqual(["# Commands\n", ""]);
});

test("E3 a path that cannot be used is told by its code, its name and what to do", () => {
  const long = "a".repeat(5000);
  const [code, name, sentence] = failure(["plugin", "validate", long]);
  expect([code, name]).toEqual([3, "PLUGIN_FETCH_FAILED"]);
  expect(sentence).toMatch(/^The folder \/.{100,200}… cannot be read: the name is too long\.$/);
  const nowhere = { HOME: "/dev/null" };
  expect(failure(["plugin", "install", join(root, "test/plugins/hello"), "--yes"], nowhere)).toEqual([
    2,
    "CONFIG_INVALID",
    "The folder /dev/null/.config/gum/default/trusted-keys cannot be read: a part of the path is not a folder.",
  ]);
  expect(failure(["config", "set", "profile.is_dev", "true"], nowhere)).toEqual([
    11,
    "REGISTRY_IO",
    "Cannot write config.toml: a part of the path is not a folder.",
  ]);
  writeFileSync(join(folder, "file"), "");
  expect(failure(["pipeline", "export", "file"])).toEqual([
    2,
    "USAGE",
    `Cannot export to ${join(folder, "file")}: a part of the path is not a folder.`,
  ]);
});

test.skipIf(process.getuid?.() === 0)(
  "E3 a folder that may not be used is told the same way (root may use every one)",
  () => {
    const closed = join(folder, "closed");
    mkdirSync(join(closed, ".local/share/gum/default"), { recursive: true });
    chmodSync(join(closed, ".local/share/gum/default"), 0);
    chmodSync(closed, 0o555);
    expect(failure(["pipeline", "export", "closed/x"])).toEqual([
      2,
      "USAGE",
      `Cannot export to ${join(closed, "x")}: permission is denied.`,
    ]);
    expect(failure(["config", "set", "profile.is_dev", "true"], { HOME: closed }).slice(0, 2)).toEqual([
      11,
      "REGISTRY_IO",
    ]);
    expect(failure(["audit", "verify"], { HOME: closed }).slice(0, 2)).toEqual([11, "REGISTRY_IO"]);
    chmodSync(closed, 0o755);
    chmodSync(join(closed, ".local/share/gum/default"), 0o755);
  },
);

test("E3 a home that is no absolute path is refused, and none at all is looked up", () => {
  for (const home of ["relative", ""]) {
    expect(failure(["plugin", "list"], { HOME: home })).toEqual([
      2,
      "CONFIG_INVALID",
      `The environment variable HOME is "${home}", which is no absolute path.`,
    ]);
  }
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, "src/main.ts"), "config", "list", "--json"],
    { cwd: folder, env: { PATH: process.env.PATH }, encoding: "utf8", timeout: 20_000 },
  );
  expect([status, Array.isArray(JSON.parse(stdout))]).toEqual([0, true]);
});

test("T5 M35 a manifest that is a link is refused, and nothing of its target is shown", () => {
  writeFileSync(join(folder, "secret"), "-----BEGIN PRIVATE KEY-----\n");
  mkdirSync(join(folder, "linked"));
  symlinkSync(join(folder, "secret"), join(folder, "linked/manifest.json"));
  const { code, out, err } = gum(["plugin", "validate", "linked"]);
  expect([code, out]).toEqual([3, ""]);
  expect(err).toStartWith(
    "gum: error PLUGIN_MANIFEST_INVALID: The manifest manifest.json is a symbolic link, which gum does not follow.\n",
  );
  expect(err).not.toContain("PRIVATE");
  // The same bytes as a file are read, and their first line is shown.
  writeFileSync(join(folder, "secret.json"), "");
  mkdirSync(join(folder, "plain"));
  writeFileSync(join(folder, "plain/manifest.json"), "-----BEGIN PRIVATE KEY-----\n");
  expect(gum(["plugin", "validate", "plain"]).err).toContain("PRIVATE");
});

test("T5 M35 a profiles folder that leads out of the plugin is refused, and a schemas folder holds nothing", () => {
  const golden = join(root, "test/golden/manifests/good-nested-contract");
  spawnSync("cp", ["-r", golden, join(folder, "nested")]);
  mkdirSync(join(folder, "outside"));
  writeFileSync(join(folder, "outside/x.toml"), "-----BEGIN PRIVATE KEY-----\n");
  spawnSync("cp", ["-r", join(golden, "schemas"), join(folder, "outside-schemas")]);
  rmSync(join(folder, "nested/profiles"), { recursive: true });
  symlinkSync(join(folder, "outside"), join(folder, "nested/profiles"));
  const profiles = gum(["plugin", "validate", "nested"]);
  expect(profiles.err).toStartWith(
    "gum: error PROFILE_INVALID: The folder profiles leads out of the plugin's folder by a link.\n",
  );
  expect(profiles.err).not.toContain("PRIVATE");
  rmSync(join(folder, "nested/schemas"), { recursive: true });
  symlinkSync(join(folder, "outside-schemas"), join(folder, "nested/schemas"));
  expect(gum(["plugin", "validate", "nested"]).err).toStartWith(
    "gum: error PLUGIN_SCHEMA_REF_INVALID: schemas/flights.search.json is not in the plugin.\n",
  );
});
