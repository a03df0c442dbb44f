import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { inspectInterpreter, resolveInterpreter } from "../../src/sandbox/interpreters.ts";
import { type Bench, makeBench, refusal } from "./bench.ts";

let bench: Bench;
let host: Bench["host"];
const python = ["/usr/local/bin/python3", "/usr/bin/python3"].find((path) => existsSync(path)) ?? "";
beforeAll(() => {
  bench = makeBench();
  // What lies in a temporary folder is refused unless the user's home is there.
  host = { ...bench.host, machine: { ...bench.host.machine, home: bench.base } };
  for (const name of ["bin", "shims", "real", "real/bin"]) mkdirSync(`${bench.base}/${name}`);
});
afterAll(() => bench.remove());

const systemPath = "/usr/local/bin:/usr/bin:/bin";
const resolve = (line: string, pathVariable = systemPath) =>
  resolveInterpreter(host, bench.install("script", `${line}\nbody\n`), {
    pathVariable,
    untrusted: [bench.root],
  });

describe("T9 the interpreter of a script", () => {
  test.skipIf(python === "")("T9 a shim finds what its manager keeps beside it", async () => {
    for (const name of ["shims", "libexec"]) mkdirSync(`${bench.base}/manager/${name}`, { recursive: true });
    const [shim, helper] = [`${bench.base}/manager/shims/python3`, `${bench.base}/manager/libexec/run`];
    writeFileSync(shim, `#!/bin/sh\nexec ${helper} "$@"\n`, { mode: 0o755 });
    writeFileSync(helper, `#!/bin/sh\nexec ${python} "$@"\n`, { mode: 0o755 });
    const found = await resolve("#!/usr/bin/env python3", `${bench.base}/manager/shims`);
    expect(found?.path).toBe(python);
  });

  test.skipIf(python === "")(
    "T9 is asked inside the sandbox: it writes nothing and gets none of the user's environment",
    async () => {
      mkdirSync(`${bench.base}/hostile/bin`, { recursive: true });
      const [program, seen] = [`${bench.base}/hostile/bin/python3`, `${bench.base}/hostile/seen`];
      const script = `#!/bin/sh\nenv > ${seen}\n[ -z "$TOKEN" ] || exit 3\nexec ${python} "$@"\n`;
      writeFileSync(program, script, { mode: 0o755 });
      const asking = { ...host, env: { ...host.env, TOKEN: "x" } };
      expect((await inspectInterpreter(asking, program)).path).toBe(python);
      expect(existsSync(seen)).toBe(false);
      const control = await bench.free([program, "-c", ""], { TOKEN: "x" });
      expect([control.exit.code, existsSync(seen)]).toEqual([3, true]);
    },
  );

  test.skipIf(python === "")(
    "T9 is refused where a plugin could have put it, by its name and by where links lead",
    async () => {
      const inside = `${bench.root}/python3`;
      copyFileSync(python, inside);
      symlinkSync(inside, `${bench.base}/bin/python3.9`);
      symlinkSync(python, `${bench.root}/python3.8`);
      for (const path of [inside, `${bench.base}/bin/python3.9`, `${bench.root}/python3.8`]) {
        expect(await refusal(resolve(`#!${path}`))).toMatchObject({ code: "PLUGIN_EXECUTABLE_UNTRUSTED" });
      }
      symlinkSync(python, `${bench.base}/bin/python3.7`);
      const line = `#!${bench.base}/bin/python3.7`;
      expect((await resolve(line))?.path).toBe(`${bench.base}/bin/python3.7`);
      const script = bench.install("script", `${line}\n`);
      const elsewhere = resolveInterpreter(bench.host, script, { pathVariable: "", untrusted: [] });
      expect(await refusal(elsewhere)).toMatchObject({ code: "PLUGIN_EXECUTABLE_UNTRUSTED" });
    },
  );

  test.skipIf(python === "")(
    "T9 by name is found once on the PATH, with path, version and digest",
    async () => {
      const found = await resolve("#!/usr/bin/env python3");
      expect(found?.path).toBe(python);
      expect(found?.version).toMatch(/^3\.\d+\.\d+$/);
      const digest = new Bun.CryptoHasher("sha256").update(await Bun.file(python).bytes()).digest("hex");
      expect(found?.sha256).toBe(digest);
      expect(found?.argv).toEqual([python, `${bench.root}/script`]);
    },
  );

  test.skipIf(python === "")("T9 arguments of the first line stand before the script", async () => {
    expect((await resolve("#!/usr/bin/env -S python3 -u -B"))?.argv).toEqual([
      python,
      "-u",
      "-B",
      `${bench.root}/script`,
    ]);
  });

  test.skipIf(python === "")(
    "T9 a shim is seen through by asking the interpreter for its own path",
    async () => {
      // As pyenv, asdf and nvm do it: a shell script of the same name, first on the PATH.
      const shim = `${bench.base}/shims/python3`;
      writeFileSync(shim, `#!/bin/sh\nexec ${python} "$@"\n`);
      chmodSync(shim, 0o755);
      const found = await resolve("#!/usr/bin/env python3", `${bench.base}/shims:${systemPath}`);
      expect(found?.path).toBe(python);
      expect(found?.argv).toEqual([python, `${bench.root}/script`]);
    },
  );

  test("T9 a shim in a language that cannot be asked is refused", async () => {
    const shim = `${bench.base}/shims/lua`;
    writeFileSync(shim, "#!/bin/sh\nexit 0\n");
    chmodSync(shim, 0o755);
    expect(await refusal(resolve("#!/usr/bin/env lua", `${bench.base}/shims`))).toMatchObject({
      code: "PLUGIN_EXECUTABLE_UNTRUSTED",
      message: "The executable is refused because the interpreter 'lua' is itself a script.",
    });
  });

  test("T9 a shell under another name is refused by what it really is", async () => {
    symlinkSync("/bin/sh", `${bench.base}/bin/python3`);
    const error = await refusal(resolve("#!/usr/bin/env python3", `${bench.base}/bin`));
    expect(error).toMatchObject({ code: "PLUGIN_EXECUTABLE_UNTRUSTED" });
  });

  test.skipIf(python === "")(
    "T9 folders and files that cannot be executed are passed over on the PATH",
    async () => {
      mkdirSync(`${bench.base}/one/python3`, { recursive: true });
      mkdirSync(`${bench.base}/two`);
      writeFileSync(`${bench.base}/two/python3`, "", { mode: 0o644 });
      const path = `relative:${bench.base}/one:${bench.base}/two:${systemPath}`;
      expect((await resolve("#!/usr/bin/env python3", path))?.path).toBe(python);
    },
  );

  test("T9 what is not there is refused", async () => {
    for (const line of ["#!/usr/bin/env nosuchlanguage", "#!/nonexistent/python3"]) {
      expect(await refusal(resolve(line))).toMatchObject({ code: "PLUGIN_EXECUTABLE_UNTRUSTED" });
    }
  });

  test("T9 a program that is no script has no interpreter", async () => {
    expect(
      await resolveInterpreter(bench.host, "/bin/true", { pathVariable: "", untrusted: [] }),
    ).toBeUndefined();
  });

  test("T9 a changed interpreter is told by its digest", async () => {
    const path = `${bench.base}/real/bin/awk`;
    copyFileSync("/bin/true", path);
    const before = await inspectInterpreter(host, path);
    copyFileSync("/bin/false", path);
    const after = await inspectInterpreter(host, path);
    expect([before.path, after.path]).toEqual([path, path]);
    expect(after.sha256).not.toBe(before.sha256);
  });

  for (const [name, version] of [
    ["node", /^\d+\.\d+\.\d+/],
    ["perl", /^5\.\d+\.\d+/],
    ["ruby", /^\d+\.\d+\.\d+/],
    ["php", /^\d+\.\d+\.\d+/],
    ["deno", /^\d+\.\d+\.\d+/],
    ["bun", /^\d+\.\d+\.\d+/],
  ] as const) {
    const path = Bun.which(name);
    test.skipIf(path === null)(`T9 ${name} answers about itself`, async () => {
      const facts = await inspectInterpreter(host, path ?? "");
      expect(facts.version).toMatch(version);
      expect(facts.path).toStartWith("/");
    });
  }
});
