// Starts many plugins that fork, says so, and waits to be killed: launch-many.ts <bench folder> <count> <marker>
import { createHost } from "../../src/host/real.ts";
import { launch } from "../../src/sandbox/launch.ts";
import { preparePolicy } from "../../src/sandbox/prepare-policy.ts";

const [base = "", count = "1", marker = "1"] = process.argv.slice(2);
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
const script = `sleep ${marker} & setsid sleep ${marker} & (sleep ${marker} &) ; echo ready; while :; do sleep 1; done`;
const plugins = await Promise.all(
  Array.from({ length: Number(count) }, () =>
    launch(host, policy, {
      executable: undefined,
      path: "/bin/sh",
      argv: ["/bin/sh", "-c", script],
      env: { PATH: "/usr/bin:/bin" },
      cwd: `${base}/data`,
    }),
  ),
);
await Promise.all(plugins.map((plugin) => new Promise((resolve) => plugin.stdout.once("data", resolve))));
console.log(`${plugins.length} running`);
setTimeout(() => process.exit(1), 60_000);
