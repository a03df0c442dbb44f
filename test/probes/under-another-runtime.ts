// Runs a plugin confined, makes some escape attempts and takes a lock, under whatever runtime runs this file, and
// prints what came of it: under-another-runtime.ts <bench folder>
import { createHost } from "../../src/host/real.ts";
import { launch } from "../../src/sandbox/launch.ts";
import { preparePolicy } from "../../src/sandbox/prepare-policy.ts";
import { attempts, runEscapeAttempts } from "../../src/sandbox/run-attempts.ts";

const base = process.argv[2] ?? "";
const host = createHost();
const policy = await preparePolicy(host, {
  network: false,
  fsWriteDir: "",
  grants: { read: [], write: [], shm: false },
  installRoot: `${base}/root`,
  dataDir: `${base}/data`,
  runtimes: [],
  userHome: `${base}/home`,
  gumFolders: [],
});
const executable = await host.files.open("/bin/cat", "read");
const plugin = await launch(host, policy, {
  executable,
  path: "/bin/cat",
  argv: ["/bin/cat", "-", `${base}/home/secret`],
  env: { MODE: "x" },
  cwd: `${base}/data`,
});
await executable.close();
const read = async (stream: AsyncIterable<unknown>) => {
  let text = "";
  for await (const block of stream) text += String(block);
  return text;
};
plugin.stdin.end("through stdin\n");
const [out, err, exit] = await Promise.all([read(plugin.stdout), read(plugin.stderr), plugin.exited]);
const results = await runEscapeAttempts(host, { only: attempts.filter(({ area }) => area === "files") });
const first = await host.files.lock(`${base}/lock`, { waitMs: 0 });
const second = await host.files.lock(`${base}/lock`, { waitMs: 0 });
console.log(
  JSON.stringify({
    out,
    denied: err.includes("Permission denied"),
    code: exit.code,
    verdicts: [...new Set(results.map(({ verdict }) => verdict))],
    locks: [first !== undefined, second !== undefined],
  }),
);
await first?.release();
process.exit(0);
