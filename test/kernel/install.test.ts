import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { callTool } from "../../src/kernel/call.ts";
import { listPlugins } from "../../src/kernel/inventory.ts";
import { removePlugin } from "../../src/kernel/remove.ts";
import type { Catalog, Lock, State } from "../../src/model/registry.ts";
import { picture } from "../registry/support.ts";
import { refusalOf } from "../steps/run-step.ts";
import { installFrom, type Scratch, scratch } from "./scratch.ts";

const set = (fields: object) => (manifest: object) => void Object.assign(manifest, fields);
const hello = {
  op: "plug.hello.hello",
  args: { name: "world" },
  confirmation: { kind: "flag", yes: false },
} as const;
const lockOf = (home: Scratch): Lock => JSON.parse(readFileSync(join(home.dataDir, "plugins.lock"), "utf8"));
const stateOf = (home: Scratch): State =>
  JSON.parse(readFileSync(join(home.dataDir, "plugin-state.json"), "utf8"));

/** The data folder without the audit log, which may grow, and the two files that are only locked. */
function pictureOf(home: Scratch): Record<string, string> {
  if (!existsSync(home.dataDir)) return {};
  const all = Object.entries(picture(home.dataDir));
  return Object.fromEntries(all.filter(([path]) => !/^(audit\.|plugins\.install\.lock)/.test(path)));
}

describe("install", () => {
  test("P1 a plugin goes from its folder to an answered call and out again", async () => {
    using home = scratch();
    const kernel = await home.kernel();
    const answer = await installFrom(kernel, home.plugin("hello"));
    expect([answer.ok, answer.status, answer.generation]).toEqual([true, "installed_pending_restart", 1]);
    expect((await callTool(kernel, hello)).payload).toEqual({
      success: true,
      data: { greeting: "Hello, world!" },
    });
    await removePlugin(kernel, "hello");
    expect(await listPlugins(kernel)).toEqual([]);
    expect((await refusalOf(() => callTool(kernel, hello))).code).toBe("PLUGIN_NOT_FOUND");
  });

  test("R13 install leaves activated_at null, and the next command activates", async () => {
    using home = scratch();
    const kernel = await home.kernel();
    await installFrom(kernel, home.plugin("hello"));
    expect(stateOf(home).plugins[0]?.activated_at).toBeNull();
    expect((await listPlugins(kernel)).map(({ status }) => status)).toEqual(["active"]);
    expect(stateOf(home).plugins[0]?.activated_at).not.toBeNull();
  });

  test("P10 the lock keeps the digest of the pipeline that installed the plugin", async () => {
    using home = scratch();
    await installFrom(await home.kernel(), home.plugin("hello"));
    const [row] = lockOf(home).plugins;
    const rows = readFileSync(join(home.dataDir, "audit.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows[0].pipeline).toBe("install");
    expect(rows[0].pipeline_sha256).toBe(row?.install_pipeline_sha256 ?? "");
    expect(rows[0].steps.map(({ outcome }: { outcome: string }) => outcome)).not.toContain("failed");
  });

  test("C5 a plugin that cannot start is published in quarantine and is not callable", async () => {
    using home = scratch();
    const kernel = await home.kernel();
    const answer = await installFrom(kernel, home.plugin("crash-start"));
    expect([answer.ok, answer.status, answer.quarantine?.code]).toEqual([
      false,
      "quarantined",
      "CANARY_FAILED",
    ]);
    const [row] = stateOf(home).plugins;
    expect([row?.quarantined, row?.last_error_code]).toEqual([true, "CANARY_FAILED"]);
    const tool = lockOf(home).plugins[0]?.plugin.tools[0]?.name;
    const refusal = await refusalOf(() =>
      callTool(kernel, { ...hello, op: `plug.${answer.plugin}.${tool}` }),
    );
    expect(refusal.code).toBe("PLUGIN_QUARANTINED");
  });

  test("C5 tools that differ from the manifest are refused, and nothing is published", async () => {
    using home = scratch();
    const plugin = home.plugin("hello", (manifest) => {
      manifest.advertised_tools = [{ name: "goodbye", description: "Says goodbye", risk_class: "read" }];
      delete manifest.requirements;
    });
    const before = pictureOf(home);
    const refusal = await refusalOf(async () => installFrom(await home.kernel(), plugin));
    expect(refusal.code).toBe("PLUGIN_TOOLS_MISMATCH");
    expect(pictureOf(home)).toEqual(before);
  });

  test("M30 a tool without a schema_ref has the input schema that the running plugin listed", async () => {
    using home = scratch();
    await installFrom(await home.kernel(), home.plugin("hello"));
    const catalog: Catalog = JSON.parse(readFileSync(join(home.dataDir, "plugin-catalog.json"), "utf8"));
    const [variant] = catalog.variants;
    const digest = variant?.schema_hashes["hello.hello.request"] ?? "";
    expect([variant?.binding.request_ref, variant?.binding.response_ref]).toEqual([
      "hello.hello.request",
      null,
    ]);
    const text = readFileSync(
      join(home.dataDir, `plugin-schemas/hello.hello.request.${digest}.json`),
      "utf8",
    );
    expect(JSON.parse(text)).toMatchObject({ type: "object", required: ["name"] });
    expect(new Bun.CryptoHasher("sha256").update(text).digest("hex")).toBe(digest);
  });

  test("C1 a flat manifest without a canary is tried by its handshake alone", async () => {
    using home = scratch();
    const plugin = home.plugin("hello", (manifest) => void Reflect.deleteProperty(manifest, "requirements"));
    const answer = await installFrom(await home.kernel(), plugin);
    expect(answer.ok).toBe(true);
    const last = stateOf(home).plugins[0]?.last_canary;
    expect([last?.ok, last?.latency_ms]).toEqual([true, 0]);
  });

  test("T34 without a terminal and without --yes nothing is written", async () => {
    using home = scratch();
    const refusal = await refusalOf(async () =>
      installFrom(await home.kernel(), home.plugin("hello"), { yes: false }),
    );
    expect(refusal.code).toBe("TRUST_NOT_CONFIRMED");
    expect(pictureOf(home)).toEqual({});
  });

  test("T34 a reinstall that asks for nothing more needs no second yes, a wider one does", async () => {
    using home = scratch();
    const kernel = await home.kernel();
    await installFrom(kernel, home.plugin("hello"));
    const again = await installFrom(kernel, home.plugin("hello", set({ version: "0.2.0" })), { yes: false });
    expect(again.version).toBe("0.2.0");
    const wider = home.plugin("hello", (m) => {
      m.declared_capabilities = { network: true, fs_write_dir: "", env_allow: [] };
    });
    expect((await refusalOf(() => installFrom(kernel, wider, { yes: false }))).code).toBe(
      "TRUST_NOT_CONFIRMED",
    );
  });

  test("T34 on a dev profile consent is implied", async () => {
    using home = scratch();
    const answer = await installFrom(await home.kernel({ profile: "dev" }), home.plugin("hello"), {
      yes: false,
    });
    expect(answer.steps.find(({ step }) => step === "confirm-trust")?.note).toBe("implied on a dev profile");
  });

  test("T1 another owner cannot take a claimed id, also after the plugin is removed", async () => {
    using home = scratch();
    const kernel = await home.kernel();
    await installFrom(kernel, home.plugin("hello"));
    await removePlugin(kernel, "hello");
    const other = home.plugin("hello", set({ namespace_owner: "io.other" }));
    const refusal = await refusalOf(() => installFrom(kernel, other));
    expect(refusal.code).toBe("PLUGIN_NAMESPACE_CONFLICT");
    expect(refusal.message).toContain("io.other");
  });

  test("T2 the namespace override is for dev profiles alone", async () => {
    using home = scratch();
    const refusal = await refusalOf(async () =>
      installFrom(await home.kernel(), home.plugin("hello"), { devAllowNamespaceConflict: true }),
    );
    expect(refusal.code).toBe("POLICY_DENIED");
  });

  test("C14 only a dev profile may skip the canary", async () => {
    using home = scratch();
    const refusal = await refusalOf(async () =>
      installFrom(await home.kernel(), home.plugin("hello"), { canary: "skip" }),
    );
    expect(refusal.code).toBe("POLICY_DENIED");
    const dev = await installFrom(await home.kernel({ profile: "dev" }), home.plugin("crash-start"), {
      canary: "skip",
    });
    expect(dev.ok).toBe(true);
  });

  test("P9 a dry run stops before stage and writes nothing", async () => {
    using home = scratch();
    const answer = await installFrom(await home.kernel(), home.plugin("hello"), {}, { dryRun: true });
    expect(answer.status).toBe("not_installed");
    const would = answer.steps.filter(({ outcome }) => outcome === "would-run").map(({ step }) => step);
    expect(would[0]).toBe("stage");
    expect(would).toContain("publish-generation");
    expect(pictureOf(home)).toEqual({});
  });
});

describe("what a failed install leaves", () => {
  const bad: [string, string, (home: Scratch) => string][] = [
    [
      "a syntax error",
      "PLUGIN_MANIFEST_INVALID",
      (home) => {
        const plugin = home.plugin("hello");
        writeFileSync(join(plugin, "manifest.json"), "{");
        return plugin;
      },
    ],
    [
      "a wrong schema version",
      "PLUGIN_MANIFEST_SCHEMA_UNSUPPORTED",
      (home) => home.plugin("hello", set({ manifest_schema_version: 2 })),
    ],
    [
      "a reserved shape",
      "PLUGIN_SHAPE_UNSUPPORTED",
      (home) => home.plugin("hello", set({ shape: "grpc-plugin" })),
    ],
    ["a wrong id", "PLUGIN_MANIFEST_INVALID", (home) => home.plugin("hello", set({ plugin_id: "Hello" }))],
    ["hidden text", "PLUGIN_TEXT_UNSAFE", (home) => home.plugin("hello", set({ name: "He\u202Ello" }))],
    [
      "a denied variable",
      "PLUGIN_ENV_PROHIBITED",
      (home) =>
        home.plugin("hello", (m) => {
          m.declared_capabilities = { network: false, fs_write_dir: "", env_allow: ["GUM_PROFILE"] };
        }),
    ],
    [
      "a reserved name",
      "PLUGIN_NAMESPACE_CONFLICT",
      (home) => home.plugin("hello", set({ plugin_id: "gmail" })),
    ],
    [
      "an absent program",
      "PLUGIN_MANIFEST_INVALID",
      (home) => home.plugin("hello", set({ executable: "bin/none" })),
    ],
    [
      "a link out of the folder",
      "PLUGIN_ARCHIVE_UNSAFE",
      (home) => {
        const plugin = home.plugin("hello");
        symlinkSync("/etc/passwd", join(plugin, "passwd"));
        return plugin;
      },
    ],
    [
      "a shell script",
      "PLUGIN_EXECUTABLE_UNTRUSTED",
      (home) => {
        const plugin = home.plugin("hello", set({ executable: "bin/run" }));
        writeFileSync(join(plugin, "bin/run"), "#!/bin/sh\nexit 0\n");
        chmodSync(join(plugin, "bin/run"), 0o755);
        return plugin;
      },
    ],
  ];
  test.each(bad)("P13 %s is %s and leaves the data folder as it was", async (_, code, make) => {
    using home = scratch();
    const kernel = await home.kernel();
    await installFrom(kernel, home.plugin("hello-js"));
    const before = pictureOf(home);
    expect((await refusalOf(() => installFrom(kernel, make(home)))).code).toBe(code as "USAGE");
    expect(pictureOf(home)).toEqual(before);
  });
});

describe("what is checked before every start", () => {
  test("T7 a changed executable is refused before any process starts", async () => {
    using home = scratch();
    const kernel = await home.kernel();
    await installFrom(kernel, home.plugin("hello"));
    const path = lockOf(home).plugins[0]?.executable_path ?? "";
    chmodSync(path, 0o755);
    appendFileSync(path, `\nopen(${JSON.stringify(join(home.folder, "ran"))}, "w")\n`);
    const refusal = await refusalOf(() => callTool(kernel, hello));
    expect(refusal.code).toBe("PLUGIN_EXECUTABLE_UNTRUSTED");
    expect(existsSync(join(home.folder, "ran"))).toBe(false);
  });

  test("T8 a changed, an added and a removed file are found", async () => {
    const faults: [string, (root: string) => void][] = [
      [
        "changed",
        (root) => {
          chmodSync(join(root, "manifest.json"), 0o644);
          appendFileSync(join(root, "manifest.json"), " ");
        },
      ],
      ["added", (root) => writeFileSync(join(root, "extra.py"), "")],
      ["removed", (root) => rmSync(join(root, "manifest.json"))],
    ];
    for (const [what, tamper] of faults) {
      using home = scratch();
      const kernel = await home.kernel();
      await installFrom(kernel, home.plugin("hello"));
      const root = lockOf(home).plugins[0]?.install_root ?? "";
      chmodSync(root, 0o755);
      tamper(root);
      chmodSync(root, 0o555);
      const refusal = await refusalOf(() => callTool(kernel, hello));
      expect([what, refusal.code]).toEqual([what, "PLUGIN_TREE_MODIFIED"]);
    }
  });
});
