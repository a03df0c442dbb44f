import { basename } from "node:path/posix";
import type { Child, Host } from "../host/host.ts";
import { isDeniedEnv } from "../model/env-denylist.ts";

/** What an interpreter says of itself. */
export interface OwnFacts {
  readonly path: string;
  readonly version: string;
}

type AskPorts = Pick<Host, "processes" | "clock" | "env">;

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
 * for a language that gum knows no question for, or when there is no usable answer.
 */
export async function askInterpreter(host: AskPorts, path: string): Promise<OwnFacts | undefined> {
  const args = questions.find(([names]) => names.test(basename(path).toLowerCase()))?.[1];
  if (args === undefined) return undefined;
  const child = await host.processes.spawn({
    file: path,
    args,
    env: ownEnvironment(host.env),
    // A project folder could choose another version by a file of its own.
    cwd: "/",
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  const answer = await answerOf(host, child);
  const [own, version] = answer.split("\n").map((line) => line.trim());
  if (own === undefined || version === undefined || !own.startsWith("/")) return undefined;
  return { path: own, version: /^[\w.+-]{1,40}$/.test(version) ? version : "unknown" };
}

async function answerOf({ clock }: AskPorts, child: Child): Promise<string> {
  const settled = new AbortController();
  const late = clock.sleep(timeoutMs, settled.signal).then(
    () => "",
    () => "",
  );
  try {
    return await Promise.race([readAnswer(child), late]);
  } finally {
    settled.abort();
    child.killGroup("SIGKILL");
  }
}

async function readAnswer(child: Child): Promise<string> {
  const out = child.pipes[1];
  if (out === undefined) return "";
  let text = "";
  for await (const block of out) {
    text += String(block);
    if (text.length > mostBytes) return "";
  }
  return (await child.exited).code === 0 ? text : "";
}

/** The user's own environment, since shims live by it, without what would change the answer. */
function ownEnvironment(env: Host["env"]): Record<string, string> {
  const entries = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || isDeniedEnv(name) ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}
