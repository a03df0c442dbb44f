// A Python project that is a plugin: a script of pyproject.toml, a build backend of its own, and one dependency as a
// wheel. Nothing of it needs a network.
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { zip } from "./archives.ts";

const hello = resolve(import.meta.dir, "../plugins/hello");

/** A wheel with one module, made by hand: a wheel is a zip. */
export function wheel(name: string, version: string, code: string, scripts = ""): Uint8Array {
  const info = `${name}-${version}.dist-info`;
  const files: Record<string, string> = {
    [`${name}.py`]: code,
    [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`,
    [`${info}/WHEEL`]: "Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    ...(scripts === "" ? {} : { [`${info}/entry_points.txt`]: `[console_scripts]\n${scripts}\n` }),
  };
  const record = [...Object.keys(files), `${info}/RECORD`].map((path) => `${path},,\n`).join("");
  return zip(
    Object.entries({ ...files, [`${info}/RECORD`]: record }).map(([path, data]) => ({ name: path, data })),
  );
}

const greeter = wheel("greeter", "1.0", 'def greet(name):\n    return f"Hello, {name}!"\n');
export const greeterSha256 = createHash("sha256").update(greeter).digest("hex");

const backend = `
import os, zipfile

def get_requires_for_build_wheel(config_settings=None):
    return []

def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    during_build()
    info = "hello_project-0.1.0.dist-info"
    name = "hello_project-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w") as wheel:
        wheel.write("hello_project.py")
        wheel.writestr(info + "/METADATA", "Metadata-Version: 2.1\\nName: hello-project\\nVersion: 0.1.0\\nRequires-Dist: greeter==1.0\\n")
        wheel.writestr(info + "/WHEEL", "Wheel-Version: 1.0\\nGenerator: own\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(info + "/entry_points.txt", "[console_scripts]\\nhello-mcp = hello_project:main\\n")
        wheel.writestr(info + "/RECORD", "")
    return name
`;

const pyproject = `
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "hello-project"
version = "0.1.0"
dependencies = ["greeter==1.0"]

[project.scripts]
hello-mcp = "hello_project:main"
`;

export interface ProjectOptions {
  /** Python that runs while the project is built. */
  readonly duringBuild?: string;
  readonly lock?: string;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly pyproject?: string;
  readonly without?: readonly string[];
}

/** Writes the project to a folder and returns that. */
export function pythonProject(folder: string, options: ProjectOptions = {}): string {
  const manifest = JSON.parse(readFileSync(join(hello, "manifest.json"), "utf8"));
  const program = readFileSync(join(hello, "bin/hello-mcp"), "utf8")
    .replace(/^#!.*\n/, "")
    .replace(/f"Hello, \{name\}!"/, "greeter.greet(name)")
    .replace("import json\n", "import json\nimport greeter\n")
    .replace(
      /\nfor line in sys\.stdin:[\s\S]*/,
      (loop) => `\ndef main():\n${loop.trim().replace(/^/gm, "    ")}\n`,
    );
  const during = options.duringBuild ?? "pass";
  const files: Record<string, string | Uint8Array> = {
    LICENSE: "MIT\n",
    "manifest.json": JSON.stringify({ ...manifest, executable: "hello-mcp" }, null, 2),
    "pyproject.toml": options.pyproject ?? pyproject,
    "backend.py": `${backend}\ndef during_build():\n${during.replace(/^/gm, "    ")}\n`,
    "hello_project.py": program,
    "wheels/greeter-1.0-py3-none-any.whl": greeter,
    ...(options.lock === undefined ? {} : { "requirements.lock": options.lock }),
    ...options.files,
  };
  for (const [name, data] of Object.entries(files)) {
    if (options.without?.includes(name)) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), data);
    chmodSync(join(folder, name), 0o644);
  }
  return folder;
}
