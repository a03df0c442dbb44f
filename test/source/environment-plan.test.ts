import { describe, expect, test } from "bun:test";
import { buildCommands, type EnvironmentFacts } from "../../src/source/environment-plan.ts";
import { readProject } from "../../src/source/pyproject.ts";
import { refusalOf } from "../steps/run-step.ts";

const facts: EnvironmentFacts = {
  python: "/usr/bin/python3",
  installer: { kind: "pip", path: "/pip.whl/pip" },
  environment: "/srv/root/.gum-env",
  project: "/srv/project",
  about: { name: "hello-plugin", version: "0.1.0", scripts: ["hello"] },
  locked: false,
  wheels: null,
};
const lines = (more: Partial<EnvironmentFacts> = {}) =>
  buildCommands({ ...facts, ...more }).map(({ argv }) => argv.join(" "));
const pip =
  "/srv/root/.gum-env/bin/python -I /pip.whl/pip install --no-input --disable-pip-version-check --no-cache-dir --no-color --no-warn-script-location --no-compile --progress-bar off";
const uv =
  "/bin/uv pip install --no-config --no-cache --no-progress --color never --link-mode copy --python /srv/root/.gum-env/bin/python";
const compile =
  "/srv/root/.gum-env/bin/python -I -m compileall -q --invalidation-mode unchecked-hash /srv/root/.gum-env/lib";

describe("the commands of a build", () => {
  test("T10 with pip: an environment without pip, the project, then byte code that is never checked", () => {
    expect(lines()).toEqual([
      "/usr/bin/python3 -I -m venv --without-pip /srv/root/.gum-env",
      `${pip} /srv/project`,
      compile,
    ]);
  });

  test("T10 with uv", () => {
    expect(lines({ installer: { kind: "uv", path: "/bin/uv" } })).toEqual([
      "/bin/uv venv --no-config --no-cache --no-progress --color never --no-project --python /usr/bin/python3 /srv/root/.gum-env",
      `${uv} /srv/project`,
      compile,
    ]);
  });

  test("T10 a lock is installed by its hashes, and then the project adds nothing", () => {
    expect(lines({ locked: true }).slice(1, 3)).toEqual([
      `${pip} --require-hashes -r /srv/project/requirements.lock`,
      `${pip} --no-deps /srv/project`,
    ]);
  });

  test("T10 a wheels folder means that no index is asked", () => {
    const offline = "--no-index --find-links /srv/project/wheels";
    expect(lines({ wheels: [], locked: true }).slice(1, 3)).toEqual([
      `${pip} ${offline} --require-hashes -r /srv/project/requirements.lock`,
      `${pip} ${offline} --no-deps /srv/project`,
    ]);
    expect(lines({ wheels: [], installer: { kind: "uv", path: "/bin/uv" } })[1]).toBe(
      `${uv} ${offline} /srv/project`,
    );
  });

  test("T10 the project's own wheel is taken instead of building it", () => {
    const own = "hello_plugin-0.1.0-py3-none-any.whl";
    const installing = (wheels: string[]) => lines({ wheels })[1]?.split(" ").at(-1);
    expect(installing(["dep-1-py3-none-any.whl", own])).toBe(`/srv/project/wheels/${own}`);
    expect(installing(["hello_plugin-0.2.0-py3-none-any.whl"])).toBe("/srv/project");
    expect(installing([own, "hello.plugin-0.1.0-cp311-cp311-linux_x86_64.whl"])).toBe("/srv/project");
  });

  test("only compiling may fail", () => {
    const lenient = buildCommands({ ...facts, locked: true }).map((command) => command.lenient ?? false);
    expect(lenient).toEqual([false, false, false, true]);
  });
});

describe("a pyproject.toml", () => {
  test("T10 has a name, a version and scripts", async () => {
    const text =
      '\ufeff[project]\nname = "Hello_Plugin.x"\nversion = "1"\n[project.scripts]\na = "m:a"\nb-2 = "m:b"\n';
    expect(await readProject(text)).toEqual({ name: "hello-plugin-x", version: "1", scripts: ["a", "b-2"] });
    expect(await readProject('[project]\nname = "x"\ndynamic = ["version"]\n')).toEqual({
      name: "x",
      version: null,
      scripts: [],
    });
    expect(await readProject("[tool.x]\n")).toEqual({ name: "", version: null, scripts: [] });
  });

  test("T10 a script that is no file name is none", async () => {
    const text = '[project.scripts]\n"../evil" = "m:a"\n"a/b" = "m:a"\n"" = "m:a"\nfine = "m:a"\n';
    expect((await readProject(text)).scripts).toEqual(["fine"]);
  });

  test("M2 what is no TOML is refused with its line", async () => {
    const error = await refusalOf(() => readProject("[project]\nname = \n"));
    expect([error.code, error.info.at?.file, error.info.at?.line]).toEqual([
      "PLUGIN_MANIFEST_INVALID",
      "pyproject.toml",
      2,
    ]);
  });
});
