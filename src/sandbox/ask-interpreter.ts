// An interpreter is a stranger's program until it is known: it is asked inside the sandbox, like a plugin (T9).
import { basename } from "node:path/posix";
import { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import { roomParents, withRoom } from "../host/native/room.ts";
import { askingEnvironment, askingPolicy, type Questioned } from "./asking-policy.ts";
import { launch } from "./launch.ts";
import type { Watched } from "./start-program.ts";

/** What an interpreter says of itself. */
export interface OwnFacts {
  readonly path: string;
  readonly version: string;
}

/** Arguments that make each language print its own path, then its version, on two lines. */
const questions: readonly (readonly [names: RegExp, args: readonly string[]])[] = [
  [
    /^(?:python|pypy)/,
    ["-I", "-S", "-c", "import sys; print(sys.executable); print('%d.%d.%d' % sys.version_info[:3])"],
  ],
  [/^node/, ["-p", "process.execPath + '\\n' + process.versions.node"]],
  [/^bun/, ["-p", "process.execPath + '\\n' + Bun.version"]],
  [/^deno/, ["eval", "console.log(Deno.execPath() + '\\n' + Deno.version.deno)"]],
  [/^ruby/, ["-e", "puts RbConfig.ruby, RUBY_VERSION"]],
  [/^perl/, ["-e", 'printf "%s\\n%vd\\n", $^X, $^V']],
  [/^php/, ["-r", 'echo PHP_BINARY, "\\n", PHP_VERSION, "\\n";']],
];

const timeoutMs = 10_000;
const mostBytes = 65_536;

/**
 * Asks the interpreter for its own path and version, which a shim (pyenv, asdf, nvm, mise) cannot hide; undefined
 * for a language that gum knows no question for, or when there is no usable answer. It has no network, nothing of the
 * user's environment and nothing to write but a folder that is gone afterwards.
 */
export async function askInterpreter(host: Host, path: string): Promise<OwnFacts | undefined> {
  const args = questions.find(([names]) => names.test(basename(path).toLowerCase()))?.[1];
  if (args === undefined) return undefined;
  const parents = roomParents({ env: host.env, home: host.machine.home });
  const answer = await withRoom(host.files, parents, async (folder) => {
    const scratch = await host.files.realpath(folder);
    return ask(host, await askingPolicy(host, path, scratch), [path, ...args]);
  });
  const [own, version] = answer.split("\n").map((line) => line.trim());
  if (own === undefined || version === undefined || !own.startsWith("/")) return undefined;
  return { path: own, version: /^[\w.+-]{1,40}$/.test(version) ? version : "unknown" };
}

async function ask(
  host: Host,
  questioned: Questioned,
  argv: readonly [string, ...string[]],
): Promise<string> {
  const env = askingEnvironment(host, questioned);
  // A project folder could choose another version by a file of its own.
  const program = { executable: undefined, path: argv[0], argv, env, cwd: "/" };
  try {
    return await answerOf(host, await launch(host, questioned.policy, program, { timeoutMs }));
  } catch (error) {
    if (error instanceof GumError && error.code === "SERVICE_DOWN") return "";
    throw error;
  }
}

async function answerOf({ clock }: Host, confined: Watched): Promise<string> {
  const settled = new AbortController();
  const late = clock.sleep(timeoutMs, settled.signal).then(
    () => "",
    () => "",
  );
  confined.stdin.end();
  confined.stderr.resume();
  try {
    return await Promise.race([readAnswer(confined), late]);
  } finally {
    settled.abort();
    confined.end();
  }
}

async function readAnswer(confined: Watched): Promise<string> {
  let text = "";
  for await (const block of confined.stdout) {
    text += String(block);
    if (text.length > mostBytes) return "";
  }
  return (await confined.exited).code === 0 ? text : "";
}
