import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { type Bench, makeBench } from "../../test/sandbox/bench.ts";

let bench: Bench;
beforeAll(() => {
  bench = makeBench();
});
afterAll(() => bench.remove());

async function build(command: readonly [string, ...string[]]): Promise<void> {
  const child = Bun.spawn([...command], {
    cwd: bench.root,
    env: { ...process.env, GOCACHE: `${bench.base}/go`, GOTOOLCHAIN: "local", GOFLAGS: "-mod=mod" },
    stdout: "ignore",
    stderr: "pipe",
    timeout: 240_000,
  });
  const said = await child.stderr.text();
  expect([await child.exited, said]).toEqual([0, expect.any(String)]);
}

/** A toolchain manager without a toolchain, as in a new home, is on the PATH and does nothing. */
const works = (name: string, ask: string) =>
  Bun.which(name) !== null && Bun.spawnSync([name, ask]).exitCode === 0;
const has = (name: string) => Bun.which(name) !== null;

describe.skipIf(process.platform !== "linux")("T20 compiled languages work inside", () => {
  test.skipIf(!has("go"))(
    "T20 go",
    async () => {
      mkdirSync(`${bench.root}/go`, { recursive: true });
      const text = `package main
import ("fmt"; "os"; "os/exec")
func main() {
  if err := os.WriteFile("own", []byte("go"), 0600); err != nil { panic(err) }
  out, err := exec.Command("/bin/cat", "own").Output(); if err != nil { panic(err) }
  self, _ := os.Executable()
  fmt.Println(string(out), self != "")
}`;
      writeFileSync(`${bench.root}/go/main.go`, text);
      await build(["go", "build", "-o", "main-go", "go/main.go"]);
      const { out, err } = await bench.run([`${bench.root}/main-go`]);
      expect([out, err]).toEqual(["go true\n", ""]);
    },
    300_000,
  );

  test.skipIf(!works("rustc", "--version"))(
    "T20 rust (where rustc works)",
    async () => {
      const text = `use std::{fs, process::Command, thread};
fn main() {
  fs::write("own", "rust").unwrap();
  let out = Command::new("/bin/cat").arg("own").output().unwrap();
  thread::spawn(move || println!("{}", String::from_utf8(out.stdout).unwrap())).join().unwrap();
}`;
      writeFileSync(`${bench.root}/main.rs`, text);
      await build(["rustc", "-o", "main-rust", "main.rs"]);
      const { out, err } = await bench.run([`${bench.root}/main-rust`]);
      expect([out, err]).toEqual(["rust\n", ""]);
    },
    300_000,
  );

  test.skipIf(!existsSync("/usr/bin/java") || !has("javac"))(
    "T20 java",
    async () => {
      const text = `import java.nio.file.*;
public class Main { public static void main(String[] a) throws Exception {
  Files.writeString(Path.of("own"), "java");
  Process p = new ProcessBuilder("/bin/cat", "own").start();
  System.out.println(new String(p.getInputStream().readAllBytes()));
  System.gc();
} }`;
      writeFileSync(`${bench.root}/Main.java`, text);
      await build(["javac", "Main.java"]);
      const { out, exit, err } = await bench.run(["/usr/bin/java", "-cp", bench.root, "Main"], {
        byPath: true,
      });
      expect([out, exit.code, exit.code === 0 ? "" : err]).toEqual(["java\n", 0, ""]);
    },
    300_000,
  );

  test("T20 a program compiled by bun, executed by its descriptor", async () => {
    writeFileSync(
      `${bench.root}/main.ts`,
      'await Bun.write("own", "bun"); console.log(await Bun.file("own").text());',
    );
    await build([process.execPath, "build", "--compile", "main.ts", "--outfile", "main-bun"]);
    const { out, err } = await bench.run([`${bench.root}/main-bun`]);
    expect([out, err]).toEqual(["bun\n", ""]);
  }, 300_000);

  test.skipIf(!has("cc"))(
    "T20 a statically linked C program",
    async () => {
      writeFileSync(`${bench.root}/main.c`, '#include <stdio.h>\nint main(void) { puts("c"); return 0; }\n');
      await build(["cc", "-static", "-o", "main-c", "main.c"]);
      expect((await bench.run([`${bench.root}/main-c`])).out).toBe("c\n");
    },
    300_000,
  );
});
