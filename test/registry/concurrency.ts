import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readRegistry } from "../../src/registry/read-registry.ts";
import { testHost } from "./support.ts";

/** Lets several processes publish at once, and answers what each printed and what is there in the end. */
export async function publishTogether(dataDir: string, processes: number, times: number, deadlineMs: number) {
  const script = join(import.meta.dir, "publish-loop.ts");
  const children = Array.from({ length: processes }, (_, who) =>
    Bun.spawn([process.execPath, script, dataDir, String(who), String(times)], {
      stdout: "pipe",
      stderr: "pipe",
      timeout: deadlineMs,
      killSignal: "SIGKILL",
    }),
  );
  const outputs = await Promise.all(
    children.map(async (child) => ({
      code: await child.exited,
      numbers: (await new Response(child.stdout).text()).split("\n").filter(Boolean).map(Number),
      errors: await new Response(child.stderr).text(),
    })),
  );
  const registry = await readRegistry(testHost(), { name: "test", dataDir });
  return {
    failures: outputs.filter(({ code }) => code !== 0).map(({ errors }) => errors),
    numbers: outputs.flatMap(({ numbers }) => numbers).sort((a, b) => a - b),
    each: outputs.map(({ numbers }) => numbers),
    plugins: registry.lock.plugins.map((row) => row.name),
    generation: registry.state.install_generation,
    folders: readdirSync(join(dataDir, "generations"))
      .map((name) => Number(name.slice(0, 8)))
      .sort((a, b) => a - b),
  };
}
