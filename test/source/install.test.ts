// Whole installs from every kind of source, with real archives, a real repository and a real server.
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { callTool } from "../../src/kernel/call.ts";
import { install } from "../../src/kernel/install.ts";
import { validate } from "../../src/kernel/validate.ts";
import type { Lock } from "../../src/model/registry.ts";
import { type Scratch, scratch, stagedIn } from "../kernel/scratch.ts";
import { picture } from "../registry/support.ts";
import { refusalOf } from "../steps/run-step.ts";
import { Repository } from "./repository.ts";

const flags = {
  yes: true,
  strict: false,
  devAllowNamespaceConflict: false,
  grants: { read: [], write: [], shm: false, capabilities: [] },
};
const sha256Of = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex");
const lockOf = (home: Scratch): Lock => JSON.parse(readFileSync(join(home.dataDir, "plugins.lock"), "utf8"));

async function installed(home: Scratch, source: string, sha256?: string) {
  const kernel = await home.kernel();
  const answer = await install(kernel, source, flags, {
    dryRun: false,
    askConsent: async () => "no-terminal",
    sha256,
  });
  const call = {
    op: "plug.hello.hello",
    args: { name: "you" },
    confirmation: { kind: "flag", yes: false },
  } as const;
  return { answer, payload: (await callTool(kernel, call)).payload };
}

const greeting = { success: true, data: { greeting: "Hello, you!" } };

/** Packs a folder with a program of the system; undefined when this machine has none. */
function packed(
  home: Scratch,
  name: string,
  command: readonly [string, ...string[]],
  cwd: string,
): string | undefined {
  const file = join(home.folder, name);
  const words = command.map((word) => word.replace("FILE", file));
  if (Bun.which(words[0] ?? "") === null) return undefined;
  const { exitCode, stderr } = Bun.spawnSync(words, { cwd, timeout: 20_000, stderr: "pipe" });
  if (exitCode !== 0) throw new Error(`${words.join(" ")}: ${stderr}`);
  return file;
}

const python = (code: string) => ["python3", "-c", code, "FILE"] as const;

describe("an install", () => {
  const packers: Record<string, readonly [string, ...string[]]> = {
    "python.zip": python(
      "import zipfile,os,sys\nz=zipfile.ZipFile(sys.argv[1],'w',zipfile.ZIP_DEFLATED)\nfor d,_,fs in os.walk('.'):\n  for f in fs: z.write(os.path.join(d,f))\nz.close()",
    ),
    "python.tar.gz": python("import tarfile,sys\nt=tarfile.open(sys.argv[1],'w:gz')\nt.add('.')\nt.close()"),
    "tar.tgz": ["tar", "czf", "FILE", "."],
    "tar-posix.tgz": ["tar", "--format=posix", "-czf", "FILE", "."],
    "zip.zip": ["zip", "-qr", "FILE", "."],
  };
  for (const [name, command] of Object.entries(packers)) {
    test(`T26 takes ${name}, as ${command[0]} makes it`, async () => {
      using home = scratch();
      const file = packed(home, name, command, home.plugin("hello"));
      if (file === undefined) return expect(Bun.which(command[0])).toBeNull();
      const { answer, payload } = await installed(home, file, sha256Of(file));
      expect([answer.ok, payload]).toEqual([true, greeting]);
      expect(stagedIn(home)).toEqual([]);
    });
  }

  test("T26 takes what `git archive` makes, with its one folder at the top", async () => {
    for (const format of ["zip", "tar.gz"]) {
      using home = scratch();
      const repository = new Repository(join(home.folder, "repo"));
      cpSync(home.plugin("hello"), repository.path, { recursive: true });
      repository.commit();
      const file = join(home.folder, `hello.${format}`);
      repository.git("archive", "--prefix=hello-1.0/", `--format=${format}`, "-o", file, "HEAD");
      expect((await installed(home, file)).payload).toEqual(greeting);
    }
  });

  test("T33 takes a repository at a commit", async () => {
    using home = scratch();
    const repository = new Repository(join(home.folder, "repo"));
    cpSync(home.plugin("hello"), repository.path, { recursive: true });
    const commit = repository.commit();
    rmSync(join(repository.path, "manifest.json"));
    repository.commit();
    const { payload } = await installed(home, `git+file://${repository.path}@${commit}`);
    expect(payload).toEqual(greeting);
    expect(readdirSync(lockOf(home).plugins[0]?.install_root ?? "").sort()).toEqual([
      "LICENSE",
      "bin",
      "manifest.json",
    ]);
    expect(stagedIn(home)).toEqual([]);
  });

  test("T26 takes an address with its digest, and refuses another before anything is unpacked", async () => {
    using home = scratch();
    const file = packed(home, "hello.tgz", ["tar", "czf", "FILE", "."], home.plugin("hello")) ?? "";
    const server = createServer((_, response) => response.end(readFileSync(file)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hello.tgz`;
    try {
      const error = await refusalOf(() => installed(home, url, "0".repeat(64)));
      expect(error.code).toBe("PLUGIN_CHECKSUM_MISMATCH");
      expect(existsSync(join(home.dataDir, "plugins.lock"))).toBe(false);
      expect(stagedIn(home)).toEqual([]);
      expect((await installed(home, url, sha256Of(file))).payload).toEqual(greeting);
    } finally {
      server.close();
    }
  });
});

describe("an install that fails", () => {
  /** The data folder without what may change: the audit log, and the empty lock file. */
  const pictureOf = (home: Scratch) =>
    Object.fromEntries(Object.entries(picture(home.dataDir)).filter(([path]) => !path.startsWith("audit.")));

  test("P13 leaves the data folder byte for byte as it was, whichever step refuses", async () => {
    using home = scratch();
    const tgz = (name: string, folder: string) =>
      packed(home, name, ["tar", "czf", "FILE", "."], folder) ?? "";
    await installed(home, home.plugin("hello"));
    const before = pictureOf(home);
    const other = (fields: object) =>
      home.plugin("hello", (manifest) => void Object.assign(manifest, { plugin_id: "other", ...fields }));
    const unlicensed = other({});
    rmSync(join(unlicensed, "LICENSE"));
    writeFileSync(join(home.folder, "text.zip"), "no archive");
    const cases: readonly (readonly [source: string, code: string])[] = [
      [join(home.folder, "absent.zip"), "PLUGIN_FETCH_FAILED"],
      [join(home.folder, "text.zip"), "PLUGIN_FETCH_FAILED"],
      [tgz("unlicensed.tgz", unlicensed), "PLUGIN_MANIFEST_INVALID"],
      [tgz("shape.tgz", other({ shape: "grpc-plugin" })), "PLUGIN_SHAPE_UNSUPPORTED"],
      [tgz("gone.tgz", other({ executable: "bin/gone" })), "PLUGIN_MANIFEST_INVALID"],
      [
        tgz(
          "owner.tgz",
          home.plugin("hello", (manifest) => void Object.assign(manifest, { namespace_owner: "io.evil" })),
        ),
        "PLUGIN_NAMESPACE_CONFLICT",
      ],
    ];
    for (const [source, code] of cases) {
      expect([source, (await refusalOf(() => installed(home, source))).code]).toEqual([source, code]);
      expect(pictureOf(home)).toEqual(before);
    }
  });

  test("P16 a folder opens no staging folder before somebody has said yes", async () => {
    using home = scratch();
    const kernel = await home.kernel();
    const seen: boolean[] = [];
    const error = await refusalOf(() =>
      install(
        kernel,
        home.plugin("hello"),
        { ...flags, yes: false },
        {
          dryRun: false,
          askConsent: async () => {
            seen.push(existsSync(join(home.dataDir, "staging")));
            return false;
          },
        },
      ),
    );
    expect([error.code, seen]).toEqual(["TRUST_NOT_CONFIRMED", [false]]);
  });
});

test("M35 validate takes an archive too, and leaves nothing of it", async () => {
  using home = scratch();
  const file = packed(home, "hello.tgz", ["tar", "czf", "FILE", "."], home.plugin("hello")) ?? "";
  const answer = await validate(await home.kernel(), file, { strict: false });
  expect([answer.ok, answer.plugin?.id]).toEqual([true, "hello"]);
  expect(stagedIn(home)).toEqual([]);
  expect(existsSync(join(home.dataDir, "plugins.lock"))).toBe(false);
});
