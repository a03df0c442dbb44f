// Brings node_modules to what package-lock.json says, on a machine that has only node and npm. It is plain JavaScript
// because it runs before Bun is there. Install scripts of packages never run; the two packages whose binary has to be
// put in place (bun, deno) are finished here by name.
//
// `npm ci` is not used: it refuses a lock without the optional packages of platforms that the registry does not offer,
// and mirrors leave such packages out. `npm install --no-save` takes the locked versions and checks their digests just
// as well; that nothing but the lock was installed is checked here afterwards.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const bun = "node_modules/bun/bin/bun.exe";
const stamp = "node_modules/.gum-ready";

const lockText = readFileSync("package-lock.json", "utf8");
const lock = JSON.parse(lockText).packages;
if (!isInstalled(lock)) {
  console.error("gum: installing packages from package-lock.json");
  rmSync("node_modules", { recursive: true, force: true });
  run("npm", ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"]);
  if (!isInstalled(lock) || readFileSync("package-lock.json", "utf8") !== lockText)
    fail("What npm installed is not what package-lock.json says: compare it with package.json");
}

const wanted = lock["node_modules/bun"].version;
if (versionOf(bun) !== wanted) run(process.execPath, ["node_modules/bun/install.js"]);
if (versionOf(bun) !== wanted)
  fail(`Cannot start Bun ${wanted} from ${bun}: this platform may have no build of it`);

// Only `make test-deno` needs Deno, and it says so itself where there is none.
if (!existsSync("node_modules/deno/deno")) spawnSync(process.execPath, ["node_modules/deno/install.cjs"]);

writeFileSync(stamp, `bun ${wanted}\n`);

/** True when npm's own record of node_modules is the lock, but for optional packages of other platforms. */
function isInstalled(packages) {
  const record = "node_modules/.package-lock.json";
  if (!existsSync(record)) return false;
  const have = JSON.parse(readFileSync(record, "utf8")).packages;
  const wanted = Object.entries(packages).filter(([path]) => path !== "");
  const unasked = Object.keys(have).filter((path) => packages[path] === undefined);
  return unasked.length === 0 && wanted.every(([path, locked]) => isSame(path, locked, have[path]));
}

function isSame(path, locked, found) {
  if (found === undefined) return locked.optional === true;
  const { version, integrity } = locked;
  return found.version === version && found.integrity === integrity && existsSync(`${path}/package.json`);
}

function versionOf(file) {
  const { status, stdout } = spawnSync(file, ["--version"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

function run(file, args) {
  const { status } = spawnSync(file, args, { stdio: "inherit" });
  if (status !== 0) fail(`${file} ${args.join(" ")} failed`);
}

function fail(message) {
  console.error(`gum: ${message}`);
  process.exit(1);
}
