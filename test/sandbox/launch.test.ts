import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import type { SpawnSpec } from "../../src/host/host.ts";
import { buildImage } from "../../src/host/native/elf.ts";
import { words } from "../../src/host/native/row.ts";
import { launchUnconfined } from "../../src/sandbox/launch-unconfined.ts";
import { makePlan } from "../../src/sandbox/plan.ts";
import { type Bench, ended, makeBench, refusal, textOf } from "./bench.ts";

let bench: Bench;
beforeAll(() => {
  bench = makeBench();
});
afterAll(() => bench.remove());

/** A program that tells these outcomes, as an older kernel would give them. */
function saying(outcomes: readonly (readonly number[])[]) {
  const arch = process.arch === "arm64" ? "arm64" : "x64";
  const { table } = buildImage([], arch);
  const records = words(...outcomes.flatMap(([row = 0, result = 0]) => [table + row * 64, result]));
  return buildImage(
    [
      { name: "tell", call: "write", args: [3, records, records.bytes.length], expect: "any" },
      { name: "end", call: "exit_group", args: [126], expect: "any" },
    ],
    arch,
  );
}

const shell = (script: string): [string, string, string] => ["/bin/sh", "-c", script];

describe.skipIf(process.platform !== "linux")("a launch", () => {
  test("T21 runs the program with every layer on", async () => {
    const { out, exit } = await bench.run(["/bin/cat", "/proc/self/status"]);
    const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)$`, "m").exec(out)?.[1];
    expect(exit.code).toBe(0);
    expect([field("NoNewPrivs"), field("Seccomp")]).toEqual(["1", "2"]);
    expect(["CapInh", "CapPrm", "CapEff", "CapAmb"].map(field)).toEqual(Array(4).fill("0000000000000000"));
    if (process.getuid?.() === 0) expect(field("CapBnd")).toBe("0000000000000000");
    expect(["SigBlk", "SigIgn"].map(field)).toEqual(Array(2).fill("0000000000000000"));
    const umask = field("Umask");
    expect(umask).toBe("0077");
  });

  test("T21 says what is enforced", async () => {
    const confined = await bench.start(["/bin/true"]);
    await ended(confined);
    expect(confined.landlockAbi).toBeGreaterThanOrEqual(1);
    expect(confined.facets.read).toBe("landlock");
    expect(confined.facets.network).toContain("seccomp");
  });

  test("T21 hands on no descriptor but the three streams", async () => {
    const { out } = await bench.run(["/bin/ls", "/proc/self/fd"]);
    // The fourth is the listing itself.
    expect(out.trim().split("\n")).toEqual(["0", "1", "2", "3"]);
  });

  test("T12 the program has exactly the environment that it was given", async () => {
    const { out } = await bench.run(["/usr/bin/env"], { env: { MODE: "fast" } });
    expect(out.trim().split("\n").sort()).toEqual([
      `HOME=${bench.data}/home`,
      "LANG=C.UTF-8",
      "MODE=fast",
      "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      "TERM=dumb",
      `TMPDIR=${bench.data}/tmp`,
    ]);
    expect([`${bench.data}/home`, `${bench.data}/tmp`].map((path) => statSync(path).mode & 0o777)).toEqual([
      0o700, 0o700,
    ]);
  });

  test("T17 values of the environment never touch the disk", async () => {
    const written: string[] = [];
    const { files } = bench.host;
    const host = {
      ...bench.host,
      files: {
        ...files,
        writeNew: (path: string, bytes: string | Uint8Array, options: { mode: number }) => {
          written.push(typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("latin1"));
          return files.writeNew(path, bytes, options);
        },
      },
    };
    const { out } = await bench.run(["/usr/bin/env"], { host, env: { TOKEN: "s3cr3t-value" } });
    expect(out).toContain("TOKEN=s3cr3t-value");
    expect(written.length).toBeGreaterThan(0);
    expect(written.filter((bytes) => bytes.includes("s3cr3t-value"))).toEqual([]);
  });

  test("T30 the file that was opened runs, whatever stands at its path by then", async () => {
    const path = `${bench.root}/program`;
    copyFileSync("/bin/echo", path);
    const executable = await bench.host.files.open(path, "read");
    copyFileSync("/bin/false", `${bench.root}/other`);
    renameSync(`${bench.root}/other`, path);
    const { launch } = await import("../../src/sandbox/launch.ts");
    const confined = await launch(bench.host, await bench.policy(), {
      executable,
      path,
      argv: [path, "the hashed one"],
      env: {},
      cwd: bench.data,
    });
    const { out, exit } = await ended(confined);
    await executable.close();
    expect([out, exit.code]).toEqual(["the hashed one\n", 0]);
    const swapped = await bench.run([path]);
    expect(swapped.exit.code).toBe(1);
  });

  test("W27 a program that cannot be started is told apart by its cause", async () => {
    const start = (path: string) => refusal(bench.start([path], { byPath: true }));
    const script = bench.install("script-without-interpreter", "#!/nonexistent/interpreter\n");
    const text = bench.install("text", "just text\n");
    const plain = bench.install("plain", "#!/bin/true\n", 0o644);
    const details = (cause: string, errno: string) => ({
      code: "SERVICE_DOWN",
      info: { details: { cause, errno } },
    });
    expect(await start("/nonexistent/program")).toMatchObject(details("interpreter_not_found", "ENOENT"));
    expect(await start(script)).toMatchObject(details("interpreter_not_found", "ENOENT"));
    expect(await start(text)).toMatchObject(details("wrong_architecture", "ENOEXEC"));
    expect(await start(plain)).toMatchObject(details("not_executable", "EACCES"));
    expect(await start(bench.root)).toMatchObject(details("not_executable", "EACCES"));
  });

  test("W27 an environment that is too long is told by its cause", async () => {
    const env = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`V${index}`, "x".repeat(100_000)]),
    );
    expect(await refusal(bench.start(["/bin/true"], { env }))).toMatchObject({
      code: "SERVICE_DOWN",
      info: { details: { cause: "launch_failed", errno: "E2BIG" } },
    });
  });

  test("T2 without the sandbox a program has the rights of the user, and still its watchdog", async () => {
    writeFileSync(`${bench.home}/mine`, "mine\n");
    const argv = ["/bin/sh", "-c", `cat ${bench.home}/mine; echo $MODE; sleep 1000 & exit 3`];
    const program = { executable: undefined, path: "/bin/sh", argv, env: { MODE: "free" }, cwd: bench.data };
    const watched = await launchUnconfined(bench.host, program);
    const [out, exit] = await Promise.all([textOf(watched.stdout), watched.exited]);
    expect([out, exit.code]).toEqual(["mine\nfree\n", 3]);
    const confined = await bench.run(["/bin/sh", "-c", `cat ${bench.home}/mine`]);
    expect(confined.out).toBe("");
  });

  test("W27 a program for another architecture is told by its cause", async () => {
    const foreign = process.arch === "x64" ? "arm64" : "x64";
    const image = buildImage([{ name: "end", call: "exit_group", args: [0], expect: "any" }], foreign);
    writeFileSync(`${bench.root}/foreign`, image.bytes, { mode: 0o755 });
    const error = await refusal(bench.start([`${bench.root}/foreign`]));
    expect(error).toMatchObject({ code: "SERVICE_DOWN", info: { details: { cause: "wrong_architecture" } } });
  });

  test("T21 a step of the sandbox that fails means no start, and is named", async () => {
    const error = await refusal(bench.start(["/bin/true"], { cwd: "/nonexistent" }));
    expect(error).toMatchObject({
      code: "PLUGIN_SANDBOX_UNSUPPORTED",
      message:
        "The plugin was not started because its sandbox could not be applied: the step 'enter the working folder' answered ENOENT.",
      info: { details: { cause: "sandbox_failed", row: "enter the working folder", errno: "ENOENT" } },
    });
  });

  test("T21 a kernel without Landlock or seccomp starts nothing at all", async () => {
    const spawned: string[] = [];
    const host = {
      ...bench.host,
      processes: {
        spawn: (spec: { file: string }) => {
          spawned.push(spec.file);
          return Promise.reject(new Error("must not be called"));
        },
      },
    };
    for (const facts of [
      { arch: "x64", landlockAbi: 0, seccomp: true },
      { arch: "x64", landlockAbi: 7, seccomp: false },
      { arch: undefined, landlockAbi: 7, seccomp: true },
    ] as const) {
      const error = await refusal(bench.start(["/bin/true"], { host, facts }));
      expect(error).toMatchObject({ code: "PLUGIN_SANDBOX_UNSUPPORTED" });
    }
    expect(spawned).toEqual([]);
  });

  test("T21 a kernel that takes less than was hoped for is asked, and gets a plan that it can keep", async () => {
    const policy = await bench.policy();
    const plan = makePlan({
      policy,
      arch: "x64",
      landlockAbi: 6,
      parentPid: 1,
      isRoot: process.getuid?.() === 0,
      attestation: { file: "/x", socket: "/x" },
      program: { path: "", argv: [], cwd: "/", byDescriptor: true },
    });
    const ruleset = plan.findIndex((row) => row.call === "landlock_create_ruleset");
    const tooBig = -7;
    const answers = [
      [[ruleset, tooBig]],
      [
        [0, 2],
        [1, 0],
      ],
    ];
    const files: string[] = [];
    const { spawn } = bench.host.processes;
    const processes = {
      async spawn(spec: SpawnSpec) {
        const records = answers[files.length];
        files.push(spec.file);
        if (records !== undefined) {
          rmSync(spec.file);
          writeFileSync(spec.file, saying(records).bytes, { mode: 0o700 });
        }
        return spawn(spec);
      },
    };
    const confined = await bench.start(["/bin/echo", "on version 2"], { host: { ...bench.host, processes } });
    expect(await ended(confined)).toMatchObject({ out: "on version 2\n", exit: { code: 0 } });
    expect([files.length, confined.landlockAbi, confined.facets.signals]).toEqual([3, 2, "none"]);
  });

  test("T21 every Landlock version that this kernel can play confines files", async () => {
    writeFileSync(`${bench.home}/secret`, "secret\n");
    const { landlockAbi, ...facts } = await (await import("../../src/sandbox/kernel-facts.ts")).kernelFacts(
      bench.host,
    );
    for (let abi = 1; abi <= Math.min(landlockAbi, 7); abi++) {
      const options = { facts: { ...facts, landlockAbi: abi } };
      const { out, err, exit } = await bench.run(
        shell(`echo fine > ${bench.data}/own && cat ${bench.data}/own; cat ${bench.home}/secret`),
        options,
      );
      expect([abi, out, exit.code]).toEqual([abi, "fine\n", 1]);
      expect(err).toContain("Permission denied");
    }
    const control = await bench.free(shell(`cat ${bench.home}/secret`));
    expect(control.out).toBe("secret\n");
  });

  test("T22 a link in the place of the write folder is not followed", async () => {
    const { data, home } = bench;
    symlinkSync(home, `${data}/cache`);
    const error = await refusal(bench.start(["/bin/true"], { policy: { fsWriteDir: "cache" } }));
    expect(error).toMatchObject({
      code: "PLUGIN_SANDBOX_UNSUPPORTED",
      info: { details: { errno: "ELOOP" } },
    });
    const deeper = await refusal(bench.start(["/bin/true"], { policy: { fsWriteDir: "cache/deeper" } }));
    expect(deeper).toMatchObject({
      code: "PLUGIN_SANDBOX_UNSUPPORTED",
      info: { details: { errno: "ELOOP" } },
    });
    expect(existsSync(`${home}/deeper`)).toBe(false);
  });

  test("M14 a write folder is made, and nothing beside it can be written", async () => {
    const script = "echo a > out/x/a; echo b > b; echo c > tmp/c; echo d > home/d; cat tmp/c home/d out/x/a";
    const { out, err } = await bench.run(shell(script), { policy: { fsWriteDir: "out/x" } });
    expect(out).toBe("c\nd\na\n");
    expect(err).toContain("cannot create b: Permission denied");
  });

  test("T35 a granted folder can be used, also as a single file, and no other", async () => {
    for (const name of ["in", "out", "not"]) mkdirSync(`${bench.base}/${name}`);
    writeFileSync(`${bench.base}/in/a`, "a\n");
    writeFileSync(`${bench.base}/not/b`, "b\n");
    writeFileSync(`${bench.base}/not/c`, "c\n");
    const grants = {
      read: [`${bench.base}/in`, `${bench.base}/not/b`],
      write: [`${bench.base}/out`],
      shm: false,
    };
    const script = "cat in/a not/b not/c; echo x > out/x; echo y > in/y";
    const { out, err } = await bench.run(shell(`cd ${bench.base}; ${script}`), { policy: { grants } });
    expect(out).toBe("a\nb\n");
    expect(err).toContain("not/c: Permission denied");
    expect(err).toContain("cannot create in/y: Permission denied");
    expect(readdirSync(`${bench.base}/out`)).toEqual(["x"]);
  });

  test("T35 a grant to write where gum prepares launches does not weaken the proof", async () => {
    mkdirSync(`${bench.base}/run`);
    const env = { XDG_CACHE_HOME: `${bench.base}/run`, XDG_DATA_HOME: `${bench.base}/elsewhere` };
    const host = { ...bench.host, env };
    const grants = { read: [], write: [`${bench.base}/run`], shm: false };
    const { out } = await bench.run(["/bin/echo", "fine"], { host, policy: { grants } });
    expect(out).toBe("fine\n");
  });

  test("T23 limits are in force, and core dumps off", async () => {
    const { out } = await bench.run(shell("ulimit -n; ulimit -c; ulimit -t"), {
      policy: { limits: { openFiles: 99 }, oneShot: true },
    });
    expect(out).toBe("99\n0\n300\n");
  });

  test("T23 a file that grows over the limit ends its writer", async () => {
    const argv = ["/usr/bin/head", "-c", "100000", "/dev/zero"] as const;
    const script = `${argv.join(" ")} > ${bench.data}/big`;
    const { exit } = await bench.run(shell(`exec ${script}`), { policy: { limits: { fileBytes: 4096 } } });
    expect(exit.signal).toBe("SIGXFSZ");
    const control = await bench.run(shell(`exec ${script}`));
    expect(control.exit.code).toBe(0);
  });

  test("W3 a start that takes too long, or is called off, leaves nothing running", async () => {
    const aborted = await refusal(bench.start(["/bin/sleep", "30"], { signal: AbortSignal.abort() }));
    expect(aborted).toMatchObject({ name: "AbortError" });
    const clock = { ...bench.host.clock, sleep: () => Promise.resolve() };
    const late = await refusal(bench.start(["/bin/sleep", "30"], { host: { ...bench.host, clock } }));
    expect(late).toMatchObject({ code: "SERVICE_DOWN", info: { details: { cause: "launch_failed" } } });
  });

  test("T21 leaves nothing behind where it was prepared", async () => {
    const place = `${bench.base}/place`;
    mkdirSync(place);
    const host = { ...bench.host, env: { XDG_CACHE_HOME: place } };
    await bench.run(["/bin/true"], { host });
    await refusal(bench.start(["/nonexistent/x"], { host, byPath: true }));
    expect(readdirSync(`${place}/gum/run`)).toEqual([]);
  });

  test("T30 no grant lets a plugin reach what gum is about to execute for another one", async () => {
    const granted = `${bench.base}/granted`;
    mkdirSync(granted);
    const env = { ...bench.host.env, XDG_RUNTIME_DIR: granted, TMPDIR: granted };
    const grants = { read: [], write: [granted], shm: true };
    const seen: { mode: number; confined: string; free: number | null }[] = [];
    const processes: typeof bench.host.processes = {
      async spawn(spec) {
        const folder = spec.file.slice(0, spec.file.lastIndexOf("/"));
        const replace = shell(`ln ${spec.file} ${folder}/old && mv ${folder}/old ${folder}/new`);
        const { err } = await bench.run(replace, { policy: { grants } });
        const free = (await bench.free(replace)).exit.code;
        seen.push({ mode: statSync(spec.file).mode & 0o777, confined: err, free });
        return bench.host.processes.spawn(spec);
      },
    };
    const { out } = await bench.run(["/bin/echo", "fine"], { host: { ...bench.host, env, processes } });
    expect(out).toBe("fine\n");
    expect(seen.map(({ mode, free }) => [mode, free])).toEqual([[0o500, 0]]);
    expect(seen[0]?.confined).toMatch(/Permission denied|Invalid cross-device link/);
  });
});
