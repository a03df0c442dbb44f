import { readdirSync, readFileSync } from "node:fs";

export interface ProcessFacts {
  readonly pid: number;
  readonly command: string;
}

/** Processes of this user whose command or environment names the text: whatever was started for one story. */
export function processesNaming(text: string): ProcessFacts[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const command = readProc(name, "cmdline").replaceAll("\0", " ").trim();
      const named = command.includes(text) || readProc(name, "environ").includes(text);
      return named ? [{ pid: Number(name), command }] : [];
    });
}

/** Waits until the question has an answer; an error when the time is over. */
export async function until<T>(what: string, ask: () => T | undefined, withinMs = 20_000): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(`${what} did not happen within ${withinMs} ms`);
    await Bun.sleep(5); // between two looks; what is waited for decides, not the time
  }
}

/** Empty for a process that is gone, or that belongs to somebody else. */
function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch (error) {
    if (
      error instanceof Error &&
      "code" in error &&
      ["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(String(error.code))
    )
      return "";
    throw error;
  }
}
