import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { lockFile } from "../../src/host/lock.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(`${tmpdir()}/gum-lock-`);
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a lock on a file", () => {
  test("is taken once and free again after its release", async () => {
    const path = `${folder}/lock`;
    const first = await lockFile(path, { waitMs: 0 });
    expect(first).toBeDefined();
    expect(await lockFile(path, { waitMs: 0 })).toBeUndefined();
    await first?.release();
    await first?.release();
    const second = await lockFile(path, { waitMs: 0 });
    expect(second).toBeDefined();
    await second?.release();
  });

  test("makes a private file", async () => {
    const path = `${folder}/lock`;
    const lock = await lockFile(path, { waitMs: 0 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await lock?.release();
  });

  test("waits until the holder lets go", async () => {
    const path = `${folder}/lock`;
    const first = await lockFile(path, { waitMs: 0 });
    const second = lockFile(path, { waitMs: 10_000 });
    await first?.release();
    const held = await second;
    expect(held).toBeDefined();
    await held?.release();
  });

  test("gives up when the time is over", async () => {
    const path = `${folder}/lock`;
    const first = await lockFile(path, { waitMs: 0 });
    const started = performance.now();
    expect(await lockFile(path, { waitMs: 60 })).toBeUndefined();
    expect(performance.now() - started).toBeGreaterThanOrEqual(50);
    await first?.release();
  });

  test("gives up when its signal fires, also before it began", async () => {
    const path = `${folder}/lock`;
    const first = await lockFile(path, { waitMs: 0 });
    const stop = new AbortController();
    const second = lockFile(path, { waitMs: 60_000, signal: stop.signal });
    stop.abort();
    expect(await second).toBeUndefined();
    expect(await lockFile(path, { waitMs: 60_000, signal: AbortSignal.abort() })).toBeUndefined();
    await first?.release();
  });

  test("is shared by readers and refused to a writer meanwhile", async () => {
    const path = `${folder}/lock`;
    const one = await lockFile(path, { waitMs: 0, shared: true });
    const two = await lockFile(path, { waitMs: 0, shared: true });
    expect([one === undefined, two === undefined]).toEqual([false, false]);
    expect(await lockFile(path, { waitMs: 0 })).toBeUndefined();
    await one?.release();
    expect(await lockFile(path, { waitMs: 0 })).toBeUndefined();
    await two?.release();
    const writer = await lockFile(path, { waitMs: 0 });
    expect(writer).toBeDefined();
    await writer?.release();
  });

  test("holds against another process and is let go when that process dies", async () => {
    const path = `${folder}/lock`;
    const script = `
      const { lockFile } = await import(${JSON.stringify(new URL("../../src/host/lock.ts", import.meta.url).pathname)});
      const lock = await lockFile(${JSON.stringify(path)}, { waitMs: 0 });
      console.log(lock ? "held" : "refused");
      setTimeout(() => {}, 60_000);
    `;
    const other = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", timeout: 30_000 });
    const reader = other.stdout.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("held\n");
    expect(await lockFile(path, { waitMs: 0 })).toBeUndefined();
    other.kill("SIGKILL");
    await other.exited;
    const lock = await lockFile(path, { waitMs: 5000 });
    expect(lock).toBeDefined();
    await lock?.release();
  });

  test("replaces the text that tells who holds it", async () => {
    const path = `${folder}/lock`;
    const lock = await lockFile(path, { waitMs: 0 });
    await lock?.describe("a long description of the first holder");
    await lock?.describe("second");
    expect(readFileSync(path, "utf8")).toBe("second");
    await lock?.release();
  });

  test("follows no symbolic link", async () => {
    symlinkSync("/etc/passwd", `${folder}/link`);
    const error = await lockFile(`${folder}/link`, { waitMs: 0 }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "ELOOP" });
  });
});
