import { realClock } from "./clock.ts";
import { realFiles } from "./files.ts";
import type { Host, LogLevel, Machine } from "./host.ts";
import { createKeychain } from "./keychain.ts";
import { createLog } from "./log.ts";
import { createTerminal } from "./terminal.ts";

/** The host that real commands run on. */
export function createHost(options: { logLevel?: LogLevel } = {}): Host {
  const env = { ...process.env };
  const terminal = createTerminal(env);
  return {
    files: realFiles,
    processes: {
      // Most commands start no process, and this module costs half a millisecond.
      async spawn(spec) {
        const { realProcesses } = await import("./processes.ts");
        return realProcesses.spawn(spec);
      },
    },
    network: {
      async get(url, options) {
        const { realNetwork } = await import("./network.ts");
        return realNetwork.get(url, options);
      },
      async listen(options, answer) {
        const { listen } = await import("./http-server.ts");
        return listen(options, answer);
      },
    },
    clock: realClock,
    machine: machineFacts(env),
    terminal,
    keychain: createKeychain(env),
    log: createLog(terminal, options.logLevel ?? "warn"),
    env,
    randomHex: (digits) =>
      Buffer.from(crypto.getRandomValues(new Uint8Array(Math.ceil(digits / 2))))
        .toString("hex")
        .slice(0, digits),
  };
}

function machineFacts(env: Readonly<Record<string, string | undefined>>): Machine {
  return {
    platform: process.platform,
    arch: process.arch,
    pid: process.pid,
    uid: process.getuid?.() ?? -1,
    gid: process.getgid?.() ?? -1,
    // What the user database says is asked for only where the variable is not there at all.
    get home() {
      return env.HOME ?? process.getBuiltinModule("node:os").userInfo().homedir;
    },
    cwd: process.cwd(),
    get hostname() {
      return process.getBuiltinModule("node:os").hostname();
    },
    nodeVersion: process.versions.node,
    self: selfCommand(),
  };
}

/** A compiled gum is one file; run from source it is the runtime with the script. */
function selfCommand(): Machine["self"] {
  const script = process.argv[1] ?? "";
  const compiled = script.startsWith("/$bunfs/");
  return { file: process.execPath, args: compiled ? [] : runtimeArguments(script) };
}

function runtimeArguments(script: string): string[] {
  return "Deno" in globalThis ? ["run", "-A", script] : [script];
}
