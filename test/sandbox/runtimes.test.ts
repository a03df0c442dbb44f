import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { resolveInterpreter } from "../../src/sandbox/interpreters.ts";
import { type Bench, findDeno, makeBench, type Ran, type StartOptions } from "./bench.ts";

let bench: Bench;
beforeAll(() => {
  bench = makeBench();
});
afterAll(() => bench.remove());

/** Runs a script the way an installed one runs: through the interpreter that was found for it. */
async function script(name: string, text: string, options: StartOptions = {}): Promise<Ran> {
  const path = bench.install(name, text);
  const pathVariable = `${dirname(process.execPath)}:${process.env.PATH ?? ""}`;
  const found = await resolveInterpreter(bench.host, path, { pathVariable, untrusted: [] });
  if (found === undefined) throw new Error("not a script");
  const [program = found.path, ...rest] = found.argv;
  return bench.run([program, ...rest], {
    byPath: true,
    ...options,
    policy: { runtimes: [found.path], ...options.policy },
  });
}

function fine(ran: Ran, out: string): void {
  expect({ out: ran.out, code: ran.exit.code, err: ran.exit.code === 0 ? "" : ran.err }).toEqual({
    out,
    code: 0,
    err: "",
  });
}

const onPath = (name: string) => Bun.which(name) !== null;
const deno = findDeno();
const systemPython = existsSync("/usr/bin/python3");
const line = (name: string) => `#!/usr/bin/env ${name}\n`;

describe.skipIf(process.platform !== "linux")("T20 what plugins are written in works inside", () => {
  test.skipIf(!onPath("python3"))("T20 python3 of the user's PATH, with its standard library", async () => {
    const text = `import json, ssl, hashlib, sqlite3, subprocess, sys, tempfile, threading, zoneinfo, locale, ctypes
with tempfile.NamedTemporaryFile() as f:
    f.write(b"x")
db = sqlite3.connect("plugin.db")
db.execute("create table if not exists t(a)"); db.execute("insert into t values(42)"); db.commit()
db.execute("pragma journal_mode=wal"); db.execute("insert into t values(43)"); db.commit()
print(json.dumps(db.execute("select sum(a) from t").fetchone()))
done = subprocess.run(["/bin/echo", "child"], capture_output=True, text=True, start_new_session=True)
print(done.stdout.strip())
t = threading.Thread(target=lambda: print("thread")); t.start(); t.join()
print(ssl.create_default_context() is not None)
`;
    fine(await script("main.py", line("python3") + text), "[85]\nchild\nthread\nTrue\n");
  });

  test.skipIf(!systemPython)("T20 python3 of the system", async () => {
    const text = "#!/usr/bin/python3\nimport os, multiprocessing, asyncio, socket\n";
    const body = `async def main():
    p = await asyncio.create_subprocess_exec("/bin/cat", stdin=-1, stdout=-1)
    print((await p.communicate(b"through"))[0].decode())
asyncio.run(main())
os.chmod(__file__, 0o777); os.makedirs("a/b"); os.rename("a/b", "c"); os.symlink("c", "d"); print(sorted(os.listdir(".")))
`;
    const ran = await script("system.py", text + body);
    expect(ran.err).toBe("");
    expect(ran.out).toContain("through\n");
    expect(ran.out).toContain("'c', 'd'");
  });

  test.skipIf(!systemPython)("T20 a python virtual environment inside the plugin", async () => {
    const made = await bench.free(["/usr/bin/python3", "-m", "venv", "--without-pip", `${bench.root}/.venv`]);
    expect(made).toMatchObject({ err: "", exit: { code: 0 } });
    const packages = await bench.free([
      `${bench.root}/.venv/bin/python`,
      "-c",
      "import sysconfig; print(sysconfig.get_paths()['purelib'])",
    ]);
    writeFileSync(`${packages.out.trim()}/inside.py`, "value = 'from the environment'\n");
    const text = `import inside, sys\nprint(inside.value, sys.prefix.endswith(".venv"))\n`;
    const python = `${bench.root}/.venv/bin/python`;
    const argv = [python, bench.install("venv.py", text)] as const;
    fine(
      await bench.run([...argv], { byPath: true, policy: { runtimes: [python] } }),
      "from the environment True\n",
    );
  });

  test.skipIf(!onPath("node"))("T20 node with packages beside it", async () => {
    mkdirSync(`${bench.root}/node_modules/dep`, { recursive: true });
    writeFileSync(`${bench.root}/node_modules/dep/package.json`, '{"name":"dep","main":"i.js"}');
    writeFileSync(`${bench.root}/node_modules/dep/i.js`, "module.exports = 'a package';");
    const text = `const { execFileSync } = require("child_process"); const fs = require("fs"); const os = require("os");
fs.writeFileSync("own.txt", require("dep")); console.log(fs.readFileSync("own.txt", "utf8"), os.tmpdir() === process.env.TMPDIR);
console.log(execFileSync("/bin/echo", ["child"]).toString().trim());
new (require("worker_threads").Worker)("console.log('worker')", { eval: true });
`;
    fine(await script("main.js", line("node") + text), "a package true\nchild\nworker\n");
  });

  test("T20 bun with packages beside it", async () => {
    const path = bench.install(
      "main.ts",
      `import { x } from "./lib.ts"; console.log(x, (await Bun.$\`echo child\`.text()).trim());`,
    );
    bench.install("lib.ts", 'export const x: string = "typed";');
    const policy = { runtimes: [process.execPath] };
    fine(await bench.run([process.execPath, path], { byPath: true, policy }), "typed child\n");
  });

  test.skipIf(deno === undefined)("T20 deno, with permissions of its own besides", async () => {
    const text = 'await Deno.writeTextFile("own", "deno"); console.log(await Deno.readTextFile("own"));';
    const path = bench.install("main.deno.ts", text);
    const argv = [deno ?? "", "run", "--allow-all", "--no-remote", path] as const;
    fine(await bench.run(argv, { policy: { runtimes: [argv[0]] } }), "deno\n");
  });

  test.skipIf(!onPath("perl"))("T20 perl", async () => {
    fine(
      await script(
        "main.pl",
        `${line("perl")}use File::Temp; my $f = File::Temp->new; print $f "x"; print "perl\\n";`,
      ),
      "perl\n",
    );
  });

  test("T20 git, tar and sqlite3, where they are installed", async () => {
    const tools: [string, string, string][] = [
      [
        "/usr/bin/git",
        "git init -q r && cd r && git config user.email a@b && git config user.name n && echo x > f && git add f && git commit -qm m && git log --format=%s",
        "m\n",
      ],
      [
        "/usr/bin/tar",
        "mkdir -p t && echo x > t/f && tar czf t.tgz t && rm -r t && tar xzpf t.tgz && cat t/f",
        "x\n",
      ],
      [
        "/usr/bin/sqlite3",
        "sqlite3 s.db 'create table t(a); insert into t values(7); select a from t;'",
        "7\n",
      ],
    ];
    const ran: string[] = [];
    for (const [path, command, out] of tools) {
      if (!existsSync(path)) continue;
      fine(await bench.run(["/bin/sh", "-c", command]), out);
      ran.push(path);
    }
    expect(ran).toContain("/usr/bin/tar");
  });

  test.skipIf(!onPath("python3"))(
    "T20 with the network names are found and TCP connects; without it neither",
    async () => {
      const server = createServer((socket) => socket.end("hello\n"));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      const text = `import socket
try:
    s = socket.create_connection(("localhost", ${port}), 5); print(s.recv(9).decode().strip())
except OSError as e:
    print(type(e).__name__, e.errno)
u = None
try:
    u = socket.socket(socket.AF_UNIX)
except OSError as e:
    print("unix", e.errno)
`;
      try {
        const open = await script("net.py", line("python3") + text, { policy: { network: true } });
        fine(open, "hello\nunix 1\n");
        const closed = await script("net.py", line("python3") + text);
        expect(closed.out).toMatch(/^(PermissionError 1|gaierror -?\d+)\nunix 1\n$/);
      } finally {
        server.close();
      }
    },
  );

  test.skipIf(!systemPython)(
    "T35 a lock between processes needs /dev/shm and works once it is granted",
    async () => {
      const text = "#!/usr/bin/python3\nimport multiprocessing\nmultiprocessing.Lock()\nprint('locked')\n";
      const grants = { read: [], write: [], shm: true };
      const denied = await script("lock.py", text);
      expect(denied.err).toContain("PermissionError");
      fine(await script("lock.py", text, { policy: { grants } }), "locked\n");
    },
  );

  test("W19 without exec the program starts nothing else", async () => {
    const path = bench.install(
      "spawn.ts",
      'try { Bun.spawnSync(["/bin/echo"]); console.log("started"); } catch (e) { console.log(e.code); }',
    );
    const policy = { runtimes: [process.execPath] };
    const argv = [process.execPath, path] as const;
    expect((await bench.run(argv, { policy: { ...policy, exec: false } })).out).toBe("EACCES\n");
    expect((await bench.run(argv, { policy })).out).toBe("started\n");
  });
});
