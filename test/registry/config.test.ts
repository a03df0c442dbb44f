import { describe, expect, test } from "bun:test";
import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Host } from "../../src/host/host.ts";
import { effectiveConfig, parseConfig } from "../../src/registry/config.ts";
import { setConfig, unsetConfig } from "../../src/registry/config-change.ts";
import { openProfile, profileName } from "../../src/registry/profile.ts";
import { refusal, tempFolder, testHost } from "./support.ts";

function hostWith(env: Record<string, string>, home = "/home/me"): Host {
  const host = testHost();
  return { ...host, env, machine: { ...host.machine, home, cwd: "/somewhere" } };
}

const file = "config.toml";
const effective = async (text: string, env = {}) =>
  effectiveConfig(await parseConfig(text, file), env, { isDev: false });

describe("profiles", () => {
  test("paths follow the XDG variables, and their defaults without them", async () => {
    const plain = await openProfile(hostWith({}));
    expect([plain.name, plain.configFile, plain.dataDir, plain.cacheDir, plain.pluginsDir]).toEqual([
      "default",
      "/home/me/.config/gum/default/config.toml",
      "/home/me/.local/share/gum/default",
      "/home/me/.cache/gum/default",
      "/home/me/.local/share/gum/default/plugins",
    ]);
    const env = {
      XDG_CONFIG_HOME: "/c",
      XDG_DATA_HOME: "/d",
      XDG_CACHE_HOME: "relative",
      GUM_PROFILE: "work",
    };
    const set = await openProfile(hostWith(env));
    expect([set.name, set.configDir, set.dataDir, set.cacheDir]).toEqual([
      "work",
      "/c/gum/work",
      "/d/gum/work",
      "/home/me/.cache/gum/work",
    ]);
    expect((await openProfile(hostWith(env), { name: "other" })).name).toBe("other");
  });

  test("a name is 1 to 64 letters, digits, dots, underscores and hyphens, and never leaves its folder", async () => {
    const good = ["default", "a", "9x", "a.b-c_d", "a".repeat(64)];
    expect(good.map((name) => profileName(name))).toEqual(good);
    for (const bad of ["", ".", "..", "a..b", ".a", "-a", "a/b", "a\0", "a".repeat(65), "ä", "a b"]) {
      expect((await refusal(() => profileName(bad))).code).toBe("USAGE");
    }
  });

  test("T34 the profile named dev is a dev profile unless its config says otherwise, and another by its config", async () => {
    using folder = tempFolder();
    const host = hostWith({ XDG_CONFIG_HOME: folder.path });
    expect((await openProfile(host, { name: "dev" })).isDev).toBe(true);
    expect((await openProfile(host, { name: "work" })).isDev).toBe(false);
    await setConfig(host, join(folder.path, "gum/dev", file), "profile.is_dev", "false");
    await setConfig(host, join(folder.path, "gum/work", file), "profile.is_dev", "true");
    expect((await openProfile(host, { name: "dev" })).isDev).toBe(false);
    expect((await openProfile(host, { name: "work" })).isDev).toBe(true);
  });

  test("W26 PLUGIN_INSTALL_DIR replaces the folder of install roots", async () => {
    const { pluginsDir } = await openProfile(hostWith({ PLUGIN_INSTALL_DIR: "./plugins" }));
    expect(pluginsDir).toBe("/somewhere/plugins");
  });
});

describe("reading", () => {
  test("W26 every documented environment name is known, with the seed's default", async () => {
    const { values, origins } = await effective("");
    const defaults = {
      "plugins.manifest_loader_enabled": true,
      "plugins.install_dir": null,
      "plugins.require_signatures": false,
      "plugins.strict_capabilities": false,
      "plugins.strict_tools": false,
      "marketplace.token": null,
      "plugins.schema_path": null,
      "registry.debug": false,
    };
    expect(values).toMatchObject(defaults);
    expect(new Set(Object.values(origins))).toEqual(new Set(["default"]));
    const env = {
      MANIFEST_LOADER_ENABLED: "false",
      PLUGIN_INSTALL_DIR: "/p",
      REQUIRE_SIGNATURES: "true",
      STRICT_CAPABILITIES: "1",
      STRICT_TOOLS: "yes",
      MARKETPLACE_TOKEN: "t",
      SCHEMA_PATH: "/s.json",
      DEBUG_REGISTRY: "true",
      GUM_PIPELINES: "/pipelines",
    };
    const set = await effective("", env);
    expect(set.values).toMatchObject({
      "plugins.manifest_loader_enabled": false,
      "plugins.install_dir": "/p",
      "plugins.require_signatures": true,
      "plugins.strict_capabilities": true,
      "plugins.strict_tools": true,
      "marketplace.token": "t",
      "plugins.schema_path": "/s.json",
      "registry.debug": true,
      "pipelines.dir": "/pipelines",
    });
    expect(Object.values(set.origins).filter((origin) => origin === "env")).toHaveLength(9);
  });

  test("W26 the environment may tighten signatures and strictness but never loosen them", async () => {
    const strict = "[plugins]\nrequire_signatures = true\nstrict_tools = true\n";
    const { values, origins } = await effective(strict, { REQUIRE_SIGNATURES: "false", STRICT_TOOLS: "0" });
    expect([values["plugins.require_signatures"], origins["plugins.require_signatures"]]).toEqual([
      true,
      "file",
    ]);
    expect([values["plugins.strict_tools"], origins["plugins.strict_tools"]]).toEqual([true, "file"]);
  });

  test("the file wins over the default, the environment over the file", async () => {
    const text = 'pipelines.dir = "/from-file"\n[generations]\nkeep = 5\n';
    const { values, origins } = await effective(text, { GUM_PIPELINES: "/from-env" });
    expect([values["pipelines.dir"], origins["pipelines.dir"]]).toEqual(["/from-env", "env"]);
    expect([values["generations.keep"], origins["generations.keep"]]).toEqual([5, "file"]);
    expect((await effective(text, { GUM_PIPELINES: "" })).values["pipelines.dir"]).toBe("/from-file");
  });

  test("an unknown key is UNKNOWN_CONFIG_KEY with the nearest name and its line", async () => {
    const error = await parseConfig("[plugins]\n# x\nrequire_signature = true\n", file).catch(
      (caught) => caught,
    );
    expect([error.code, error.message, error.info.at]).toEqual([
      "UNKNOWN_CONFIG_KEY",
      'There is no configuration key "plugins.require_signature": did you mean "plugins.require_signatures"?',
      { file, line: 3, column: 1, text: "require_signature = true" },
    ]);
    expect((await refusal(() => parseConfig("a.b.c = 1", file))).code).toBe("UNKNOWN_CONFIG_KEY");
    for (const hostile of ["__proto__ = 1", "[toString]\ncall = 1"]) {
      expect((await refusal(() => parseConfig(hostile, file))).code).toBe("CONFIG_INVALID");
    }
  });

  test("a bad value is CONFIG_INVALID and says what is allowed", async () => {
    const cases = [
      ["[generations]\nkeep = 0", 'The value of "generations.keep" must be a whole number from 1 to 10000.'],
      [
        "[generations]\nkeep = 1.5",
        'The value of "generations.keep" must be a whole number from 1 to 10000.',
      ],
      ['[profile]\nis_dev = "yes"', 'The value of "profile.is_dev" must be true or false.'],
      ['[secrets]\nbackend = "vault"', 'The value of "secrets.backend" must be one of keychain, file, env.'],
      ['[pipelines]\ndir = ""', 'The value of "pipelines.dir" must be text.'],
      [
        '[auth]\ngoogle_access_token_command = "gcloud"',
        'The value of "auth.google_access_token_command" must be a list of texts.',
      ],
    ] as const;
    for (const [text, message] of cases) {
      expect(await refusal(() => parseConfig(text, file))).toMatchObject({ code: "CONFIG_INVALID", message });
    }
    expect((await refusal(() => effective("", { STRICT_TOOLS: "maybe" }))).message).toBe(
      "The value of the environment variable STRICT_TOOLS must be true or false.",
    );
  });

  test("a syntax error is CONFIG_INVALID with its line and column", async () => {
    const error = await parseConfig("[plugins]\nallow_native = = true\n", file).catch((caught) => caught);
    expect(error.code).toBe("CONFIG_INVALID");
    expect(error.message).toStartWith("config.toml is not valid TOML: unexpected character");
    expect(error.info.at).toEqual({ file, line: 2, column: 16, text: "allow_native = = true" });
  });

  test("L2 a syntax error of any kind has the line that is at fault", async () => {
    const cases: [string, string, object][] = [
      ["a\n", "invalid character", { file, line: 1, column: 2, text: "a" }],
      ["# x\n[plugins]\n[plugins]\n", 'the table "plugins"', { file, line: 3, column: 1, text: "[plugins]" }],
      [
        "[plugins]\nlock = 2024-01-01\n",
        "a date must",
        { file, line: 2, column: 8, text: "lock = 2024-01-01" },
      ],
    ];
    for (const [text, said, at] of cases) {
      const error = await parseConfig(text, file).catch((caught) => caught);
      expect(error.message).toContain(said);
      expect(error.info.at).toEqual(at);
    }
  });

  test("a secret in the file is refused", async () => {
    expect(await refusal(() => parseConfig('[marketplace]\ntoken = "t"', file))).toMatchObject({
      code: "CONFIG_INVALID",
      message: 'The key "marketplace.token" holds a secret, which is read from the environment alone.',
    });
  });
});

describe("writing", () => {
  async function changed(before: string | undefined, ...sets: [string, string | undefined][]) {
    using folder = tempFolder();
    const path = join(folder.path, "gum/default", file);
    if (before !== undefined) {
      mkdirSync(join(folder.path, "gum/default"), { recursive: true });
      writeFileSync(path, before);
    }
    for (const [key, value] of sets) {
      if (value === undefined) await unsetConfig(testHost(), path, key);
      else await setConfig(testHost(), path, key, value);
    }
    expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
    return readFileSync(path, "utf8");
  }

  test("a set on a missing file makes it 0600 in a 0700 folder", async () => {
    expect(await changed(undefined, ["generations.keep", "7"], ["plugins.allow_native", "true"])).toBe(
      "[generations]\nkeep = 7\n\n[plugins]\nallow_native = true\n",
    );
  });

  test("comments, order and other keys stay as they were", async () => {
    const before = [
      "# my config",
      "pipelines.dir = '/p' # mine",
      "",
      "[plugins] # about plugins",
      "allow_native = false   # never",
      "allow_runtime_deps = [",
      '  "a@1.0.0", # first',
      "]",
      "",
      "[generations]",
      "keep = 3",
      "",
    ].join("\n");
    const after = await changed(
      before,
      ["plugins.allow_native", "true"],
      ["pipelines.dir", "/q # r"],
      ["plugins.strict_tools", "true"],
      ["generations.keep", undefined],
    );
    expect(after).toBe(
      [
        "# my config",
        'pipelines.dir = "/q # r" # mine',
        "",
        "[plugins] # about plugins",
        "allow_native = true   # never",
        "allow_runtime_deps = [",
        '  "a@1.0.0", # first',
        "]",
        "strict_tools = true",
        "",
        "[generations]",
        "",
      ].join("\n"),
    );
  });

  test("a list is replaced whole, and read from commas or JSON", async () => {
    const before = '[plugins]\nallow_runtime_deps = [\n  "a@1.0.0",\n]\nallow_native = true\n';
    expect(await changed(before, ["plugins.allow_runtime_deps", "b@1.0.0, c@2.0.0"])).toBe(
      '[plugins]\nallow_runtime_deps = ["b@1.0.0", "c@2.0.0"]\nallow_native = true\n',
    );
    expect(await changed(before, ["plugins.allow_runtime_deps", '["d@1.0.0"]'])).toContain('["d@1.0.0"]');
  });

  test("a file in a form that a line edit would break is rewritten, and means the same", async () => {
    const after = await changed("plugins = { allow_native = true }\n[generations]\nkeep = 4\n", [
      "plugins.strict_tools",
      "true",
    ]);
    const { values } = await effective(after);
    expect(values).toMatchObject({
      "plugins.allow_native": true,
      "plugins.strict_tools": true,
      "generations.keep": 4,
    });
  });

  test("an unknown key, a bad value, a secret and a broken file change nothing", async () => {
    using folder = tempFolder();
    const path = join(folder.path, file);
    writeFileSync(path, "[generations]\nkeep = 3\n");
    const set = (key: string, value: string) => refusal(() => setConfig(testHost(), path, key, value));
    expect((await set("generation.keep", "1")).message).toContain('did you mean "generations.keep"?');
    expect((await set("generations.keep", "many")).code).toBe("CONFIG_INVALID");
    expect((await set("marketplace.token", "t")).code).toBe("CONFIG_INVALID");
    expect(readFileSync(path, "utf8")).toBe("[generations]\nkeep = 3\n");
    writeFileSync(path, "broken = = 1\n");
    expect((await set("generations.keep", "1")).code).toBe("CONFIG_INVALID");
    expect(readFileSync(path, "utf8")).toBe("broken = = 1\n");
  });

  test("a config.toml that is a link stays one", async () => {
    using folder = tempFolder();
    writeFileSync(join(folder.path, "real.toml"), "");
    symlinkSync("real.toml", join(folder.path, file));
    await setConfig(testHost(), join(folder.path, file), "generations.keep", "9");
    expect(lstatSync(join(folder.path, file)).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder.path, "real.toml"), "utf8")).toBe("[generations]\nkeep = 9\n");
  });

  test("unset says whether the key was there", async () => {
    using folder = tempFolder();
    const path = join(folder.path, file);
    await setConfig(testHost(), path, "generations.keep", "9");
    expect(await unsetConfig(testHost(), path, "generations.keep")).toBe(true);
    expect(await unsetConfig(testHost(), path, "generations.keep")).toBe(false);
  });
});
