// A Secret Service of the test's own: gnome-keyring on a session bus of its own, with a home of its own.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../script/processes.ts";

const programs = ["dbus-daemon", "dbus-send", "gnome-keyring-daemon", "secret-tool"] as const;

/** The programs that are not installed here. */
export function missingPrograms(): string[] {
  return programs.filter((name) => Bun.which(name) === null);
}

export interface SecretService {
  /** What a program needs to find it. */
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  lock(): Promise<void>;
  unlock(): Promise<void>;
  stop(): Promise<void>;
}

const password = "of the keyring";
const deadlineMs = 50_000;

/** Starts both daemons; the keyring is new and unlocked. */
export async function startSecretService(): Promise<SecretService> {
  const folder = mkdtempSync(join(tmpdir(), "gum-keyring-"));
  const home = join(folder, "home");
  mkdirSync(join(home, ".local/share"), { recursive: true });
  mkdirSync(join(folder, "control"), { mode: 0o700 });
  const address = `unix:path=${join(folder, "bus")}`;
  const env = {
    HOME: home,
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    LANG: "C.UTF-8",
    DBUS_SESSION_BUS_ADDRESS: address,
  };
  const config = join(folder, "bus.conf");
  writeFileSync(config, busConfig(address));
  const bus = daemon(["dbus-daemon", "--nofork", "--nopidfile", `--config-file=${config}`], env);
  await until("the session bus", () => (existsSync(join(folder, "bus")) ? true : undefined));
  let keyring = await startKeyring(folder, env).catch(async (error) => {
    await end(bus);
    throw error;
  });
  return {
    env,
    folder,
    async lock() {
      await send(env, "org.freedesktop.Secret.Service.Lock", `array:objpath:${collection}`);
    },
    async unlock() {
      await end(keyring);
      keyring = await startKeyring(folder, env);
    },
    async stop() {
      await end(keyring);
      await end(bus);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A bus that starts nothing by itself: what the test has not started must not answer for it. */
function busConfig(address: string): string {
  const policy = `<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>`;
  return `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>${address}</listen><auth>EXTERNAL</auth>
<policy context="default">${policy}</policy></busconfig>\n`;
}

type Env = Readonly<Record<string, string>>;
type Daemon = Bun.Subprocess<"ignore" | Blob, "ignore", "ignore">;

const collection = "/org/freedesktop/secrets/collection/login";

async function startKeyring(folder: string, env: Env): Promise<Daemon> {
  const words = ["--foreground", "--components=secrets", `--control-directory=${join(folder, "control")}`];
  const keyring = daemon(["gnome-keyring-daemon", "--unlock", ...words], env, password);
  const deadline = performance.now() + 20_000;
  // Only the daemon's own answer says that it is there; each question waits for it on the bus.
  while (!(await send(env, "org.freedesktop.Secret.Service.ReadAlias", "string:default")).includes("login")) {
    if (performance.now() > deadline || keyring.exitCode !== null)
      throw new Error("the keyring did not start");
    await Bun.sleep(20);
  }
  return keyring;
}

function daemon(argv: string[], env: Env, input?: string): Daemon {
  return Bun.spawn(argv, {
    env,
    stdin: input === undefined ? "ignore" : new Blob([input]),
    stdout: "ignore",
    stderr: "ignore",
    timeout: deadlineMs,
    killSignal: "SIGKILL",
  });
}

async function end(child: Daemon): Promise<void> {
  child.kill("SIGTERM");
  await child.exited;
}

async function send(env: Env, method: string, argument: string): Promise<string> {
  const to = ["--dest=org.freedesktop.secrets", "/org/freedesktop/secrets"];
  const child = Bun.spawn(["dbus-send", "--session", "--print-reply", ...to, method, argument], {
    env,
    stdout: "pipe",
    stderr: "ignore",
    timeout: 15_000,
    killSignal: "SIGKILL",
  });
  return child.stdout.text();
}
