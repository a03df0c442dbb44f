// What the words after `gum plugin wrap` mean: a folder with arguments for its server, or the command of a server.
import { basename, dirname, isAbsolute, join, resolve } from "node:path/posix";
import { GumError } from "../../base/errors.ts";
import type { Host } from "../../host/host.ts";
import { isShell, isShellOrInterpreter } from "../../model/interpreter-names.ts";
import { readShebang, shebangBytes } from "../../sandbox/shebang.ts";
import { nodeLauncher, pythonScriptLauncher } from "./launchers.ts";
import { planNpm } from "./npm.ts";
import { isPythonEnv, planPython } from "./python.ts";
import { kindOf } from "./read-json.ts";
import type { ServerFacts, ServerPlan } from "./server-plan.ts";

const runners = new Set([
  "npx",
  "uvx",
  "pipx",
  "bunx",
  "pnpx",
  "yarn",
  "pnpm",
  "npm",
  "uv",
  "docker",
  "podman",
]);

/** Finds out how the server that the words mean becomes a plugin's folder. */
export async function findServer(host: Host, words: readonly string[], bin?: string): Promise<ServerPlan> {
  const [first = "", ...rest] = words;
  const path = resolve(host.machine.cwd, first);
  if ((await kindOf(host.files, path)) === "folder") return planFolder(host, path, rest, bin);
  return planCommand(host, await programPath(host, first), rest);
}

async function planFolder(
  host: Host,
  folder: string,
  args: readonly string[],
  bin: string | undefined,
): Promise<ServerPlan> {
  if (await isPythonEnv(host.files, folder)) return planPython(host, folder, { bin }, args);
  if ((await kindOf(host.files, join(folder, "package.json"))) === "file") {
    return planNpm(host, folder, { bin }, args);
  }
  throw new GumError(
    "PLUGIN_FETCH_FAILED",
    `The folder ${basename(folder)} holds no server that gum knows.`,
    {
      hint: "name a folder with a package.json, a virtual environment of Python, or a command after --",
    },
  );
}

async function planCommand(host: Host, program: string, args: readonly string[]): Promise<ServerPlan> {
  const name = basename(program);
  refuseRunners(name);
  const above = dirname(dirname(program));
  const inEnv = basename(dirname(program)) === "bin" && (await isPythonEnv(host.files, above));
  if (inEnv && !isShellOrInterpreter(name)) return planPython(host, above, { bin: name }, args);
  if (inEnv && args[0] === "-m" && args[1] !== undefined) {
    return planPython(host, above, { module: args[1] }, args.slice(2));
  }
  return isShellOrInterpreter(name) ? planScript(host, name, args) : planFile(host, program, args);
}

/** An interpreter and a script: the script is what becomes the plugin's program. */
async function planScript(host: Host, interpreter: string, words: readonly string[]): Promise<ServerPlan> {
  const [script = "", ...args] = words;
  if (script === "" || script.startsWith("-")) {
    throw new GumError("USAGE", `After ${interpreter} the file that it runs must come first.`, {
      hint: `write \`gum plugin wrap -- ${interpreter} <file> [arguments]\``,
    });
  }
  const path = await existingFile(host, resolve(host.machine.cwd, script));
  const home = await packageAbove(host, dirname(path));
  const isNode = /^(node|bun|deno)/.test(interpreter);
  if (isNode && home !== undefined) return planNpm(host, home, { script: path }, args);
  const plan = await planFile(host, path, args);
  if (await hasShebang(host, path)) return plan;
  const launch = isNode
    ? nodeLauncher
    : /^(python|pypy)/.test(interpreter)
      ? pythonScriptLauncher
      : undefined;
  if (launch === undefined) {
    throw new GumError("USAGE", `The script ${basename(path)} does not say in its first line what runs it.`, {
      hint: `begin it with #!/usr/bin/env ${interpreter}`,
    });
  }
  const written = [{ path: "bin/server-mcp", text: launch(plan.executable) }];
  return { ...plan, written, executable: "bin/server-mcp" };
}

/** One file: an executable, or a script that says what runs it. */
async function planFile(host: Host, path: string, args: readonly string[]): Promise<ServerPlan> {
  const from = await existingFile(host, path);
  const to = `server/${basename(from)}`;
  return {
    kind: "file",
    facts: fileFacts(basename(from)),
    copies: [{ from, to, without: [] }],
    links: [],
    written: [],
    executable: to,
    args,
  };
}

function fileFacts(name: string): ServerFacts {
  return {
    id: name.replace(/\.[a-z0-9]+$/i, ""),
    version: undefined,
    description: undefined,
    license: undefined,
    homepage: undefined,
    owner: undefined,
  };
}

function refuseRunners(name: string): void {
  if (isShell(name)) {
    throw new GumError(
      "PLUGIN_EXECUTABLE_UNTRUSTED",
      `A shell (${name}) cannot be wrapped: it runs whatever it is told.`,
      {
        hint: "name the server's own program after --",
      },
    );
  }
  if (!runners.has(name)) return;
  throw new GumError(
    "USAGE",
    `${name} fetches a server anew at each start, and what it fetches cannot be trusted once.`,
    {
      hint: "install the server into a folder first (npm install --ignore-scripts <name>), then wrap node_modules/<name>",
    },
  );
}

async function programPath(host: Host, word: string): Promise<string> {
  if (word.includes("/")) return resolve(host.machine.cwd, word);
  refuseRunners(word);
  for (const folder of (host.env.PATH ?? "").split(":").filter(isAbsolute)) {
    const path = join(folder, word);
    if ((await kindOf(host.files, path)) === "file") return path;
  }
  const here = resolve(host.machine.cwd, word);
  if ((await kindOf(host.files, here)) === "file") return here;
  throw new GumError("USAGE", `There is no folder, file or program called ${JSON.stringify(word)}.`);
}

async function existingFile({ files }: Host, path: string): Promise<string> {
  if ((await kindOf(files, path)) === "file") return files.realpath(path);
  throw new GumError("USAGE", `There is no file ${path}.`);
}

/** The folder of the package that a file belongs to. */
async function packageAbove({ files }: Host, from: string): Promise<string | undefined> {
  for (let folder = from; folder !== "/"; folder = dirname(folder)) {
    if ((await kindOf(files, join(folder, "package.json"))) === "file") return folder;
  }
  return undefined;
}

async function hasShebang({ files }: Host, path: string): Promise<boolean> {
  const file = await files.open(path, "read");
  try {
    const head = new Uint8Array(shebangBytes);
    return readShebang(head.subarray(0, await file.read(head, 0))) !== undefined;
  } finally {
    await file.close();
  }
}
