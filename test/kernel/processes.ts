// Which processes are left of the plugins that ran below a folder.
import { readdirSync, readFileSync } from "node:fs";

/** Processes whose command line or environment names the folder, as `pid command`; those merely waiting to be reaped do not count. */
export function processesOf(folder: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const command = textOf(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim();
      const names = `${command} ${textOf(`/proc/${pid}/environ`)}`.includes(folder);
      return names && Number(pid) !== process.pid && !isZombie(pid) ? [`${pid} ${command}`] : [];
    });
}

const patienceMs = 3000;

/** What is left below the folder once everything has had its time to end. */
export async function leftOf(folder: string): Promise<string[]> {
  const deadline = performance.now() + patienceMs;
  let left = processesOf(folder);
  while (left.length > 0 && performance.now() < deadline) {
    await Bun.sleep(20);
    left = processesOf(folder);
  }
  return left;
}

function isZombie(pid: string): boolean {
  return /^State:\s+[ZX]/m.test(textOf(`/proc/${pid}/status`));
}

/** Empty when the process has gone, or is somebody else's. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
