import { describe, expect, test } from "bun:test";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { callTool } from "../../src/kernel/call.ts";
import type { Lock } from "../../src/model/registry.ts";
import { installFrom, type Scratch, scratch, stagedIn } from "../kernel/scratch.ts";
import { greeterSha256, pythonProject } from "../source/python-project.ts";
import { refusalOf } from "./run-step.ts";

const lockOf = (home: Scratch): Lock => JSON.parse(readFileSync(join(home.dataDir, "plugins.lock"), "utf8"));
const hello = {
  op: "plug.hello.hello",
  args: { name: "you" },
  confirmation: { kind: "flag", yes: false },
} as const;

/** Every file of a folder with its mode, links as such. */
function modes(root: string, folder = ""): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = join(folder, name);
    const facts = lstatSync(join(root, path));
    if (facts.isSymbolicLink()) return [`link ${path}`];
    const mode = `${(facts.mode & 0o7777).toString(8)} ${path}`;
    return facts.isDirectory() ? [mode, ...modes(root, path)] : [mode];
  });
}

describe("a Python project", () => {
  test("T10 becomes an environment at its install root, offline from wheels/, and answers", async () => {
    using home = scratch();
    const kernel = await home.kernel();
    const lock = `greeter==1.0 --hash=sha256:${greeterSha256}\n`;
    const answer = await installFrom(kernel, pythonProject(join(home.folder, "project"), { lock }));
    expect(answer.quarantine).toBeNull();
    expect((await callTool(kernel, hello)).payload).toEqual({
      success: true,
      data: { greeting: "Hello, you!" },
    });
    const row = lockOf(home).plugins[0];
    const environment = join(row?.install_root ?? "", ".gum-env");
    expect(row?.executable_path).toBe(join(environment, "bin/hello-mcp"));
    expect(row?.argv_normalized).toEqual([
      join(environment, "bin/python"),
      join(environment, "bin/hello-mcp"),
    ]);
    expect(row?.interpreter).toMatchObject({
      path: join(environment, "bin/python"),
      version: expect.stringMatching(/^3\./),
    });
    const found = modes(row?.install_root ?? "");
    expect(found.filter((line) => !/^(?:444|555|link) /.test(line))).toEqual([]);
    expect(found).toContain("555 .gum-env/bin/hello-mcp");
    expect(readlinkSync(join(environment, "lib64"))).toBe("lib");
    // Byte 4 of compiled code says how it is checked against its source: 1 is by hash, never.
    const compiled = found.filter((line) => line.endsWith(".pyc")).map((line) => line.slice(4));
    expect(compiled.length).toBe(2);
    for (const path of compiled) expect(readFileSync(join(row?.install_root ?? "", path))[4]).toBe(1);
    expect(stagedIn(home)).toEqual([]);
  }, 30_000);

  test("T10 a build that fails says why, and nothing of it is left", async () => {
    using home = scratch();
    const project = pythonProject(join(home.folder, "project"), {
      without: ["wheels/greeter-1.0-py3-none-any.whl"],
    });
    mkdirSync(join(project, "wheels"));
    const error = await refusalOf(async () => installFrom(await home.kernel(), project));
    expect(error.code).toBe("PLUGIN_BUILD_FAILED");
    expect(error.message).toMatch(
      /^The environment of "hello" could not be built: installing the project failed \(.*greeter.*\)\.$/,
    );
    expect(JSON.stringify(error.info.details)).not.toContain(home.folder);
    expect(existsSync(join(home.dataDir, "plugins/hello"))).toBe(false);
    expect(stagedIn(home)).toEqual([]);
    expect(existsSync(join(home.dataDir, "plugins.lock"))).toBe(false);
  }, 30_000);

  test("T10 what a build runs is confined: it neither reads the home nor writes elsewhere", async () => {
    using home = scratch();
    const secret = join(home.host.machine.home, ".ssh/id");
    const victim = join(home.folder, "victim");
    mkdirSync(join(secret, ".."), { recursive: true });
    writeFileSync(secret, "secret");
    const probe = [
      "import errno, os",
      "def tried(work):",
      "    try:",
      "        work(); return 'done'",
      "    except OSError as error:",
      "        return errno.errorcode[error.errno]",
      "def write(path):",
      "    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))",
      `results = [tried(lambda: open(${JSON.stringify(secret)}).read()), tried(lambda: write(${JSON.stringify(victim)})),`,
      "           tried(lambda: write('own')), str('SECRET_TOKEN' in os.environ)]",
    ].join("\n");
    const kernel = await home.kernel();
    const env = { ...kernel.host.env, SECRET_TOKEN: "x" };
    const project = pythonProject(join(home.folder, "project"), {
      duringBuild: `${probe}\nraise SystemExit("ERROR: results " + " ".join(results))`,
    });
    const error = await refusalOf(() => installFrom({ ...kernel, host: { ...kernel.host, env } }, project));
    expect(JSON.stringify(error.info.details)).toContain("results EACCES EACCES done False");
    expect(existsSync(victim)).toBe(false);
    // The control: the same probe does all of it where nothing confines it.
    const control = Bun.spawnSync(["python3", "-c", `${probe}\nprint(*results)`], {
      cwd: home.folder,
      env: { PATH: process.env.PATH ?? "", SECRET_TOKEN: "x" },
      timeout: 20_000,
    });
    expect(control.stdout.toString().trim()).toBe("done done done True");
  }, 30_000);

  test("T10 a script that the project does not declare is refused before anything is written", async () => {
    using home = scratch();
    const project = pythonProject(join(home.folder, "project"), { pyproject: '[project]\nname = "x"\n' });
    const kernel = await home.kernel();
    expect((await refusalOf(() => installFrom(kernel, project))).message).toContain(
      "is not a file in the plugin's folder",
    );
    writeFileSync(join(project, "pyproject.toml"), "[project\n");
    expect((await refusalOf(() => installFrom(kernel, project))).message).toBe(
      "The file pyproject.toml is not valid TOML.",
    );
    expect(stagedIn(home)).toEqual([]);
  });
});
