// Small scripts that start a server which cannot be started directly: gum runs a file of the plugin's folder, and
// knows its interpreter from its first line (T9).

/** Runs a module of the folder as if node had been given it: servers ask whether they were. */
export function nodeLauncher(script: string): string {
  return [
    "#!/usr/bin/env node",
    `const path = require("node:path").join(__dirname, "..", ${JSON.stringify(script)});`,
    "process.argv[1] = path;",
    'import(require("node:url").pathToFileURL(path).href);',
    "",
  ].join("\n");
}

/** Runs a script of the folder as if python had been given it. */
export function pythonScriptLauncher(script: string): string {
  return [
    "#!/usr/bin/env python3",
    ...pythonHead,
    `path = os.path.join(root, ${JSON.stringify(script)})`,
    "sys.argv[0] = path",
    "sys.path.insert(0, os.path.dirname(path))",
    'runpy.run_path(path, run_name="__main__")',
    "",
  ].join("\n");
}

/** What of an environment is to run: a function of a console script, or a module as `python -m` runs it. */
export type PythonEntry =
  | { readonly module: string; readonly call: string }
  | { readonly module: string; readonly call: null };

/** Runs what an environment offers, with the packages that were copied beside it and none of the user's. */
export function pythonEnvLauncher(interpreter: string, packages: string, entry: PythonEntry): string {
  const run =
    entry.call === null
      ? [`runpy.run_module(${JSON.stringify(entry.module)}, run_name="__main__", alter_sys=True)`]
      : [
          `module = importlib.import_module(${JSON.stringify(entry.module)})`,
          `sys.exit(functools.reduce(getattr, ${JSON.stringify(entry.call.split("."))}, module)())`,
        ];
  return [
    `#!${interpreter} -IS`,
    ...pythonHead,
    "import functools",
    "import importlib",
    "import site",
    `site.addsitedir(os.path.join(root, ${JSON.stringify(packages)}))`,
    ...run,
    "",
  ].join("\n");
}

const pythonHead = [
  "import os",
  "import runpy",
  "import sys",
  "root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))",
];
