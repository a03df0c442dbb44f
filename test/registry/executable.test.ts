import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { verifyExecutable } from "../../src/registry/executable.ts";
import { failingHost, refusal, tempFolder, testHost } from "./support.ts";

// printf 'good' | sha256sum
const goodSha256 = "770e607624d689265ca6c44884d0807d9b054d23c473c106c72be9de08b7376c";

function installed(folder: { path: string }, file = "bin/run") {
  const root = join(folder.path, "root");
  mkdirSync(join(root, "bin"), { recursive: true });
  writeFileSync(join(root, file), "good", { mode: 0o755 });
  const path = join(root, file);
  return {
    root,
    path,
    row: { name: "fli", install_root: root, executable_path: path, executable_sha256: goodSha256 },
  };
}

async function refused(row: ReturnType<typeof installed>["row"], host = testHost()) {
  const { code, message } = await refusal(() => verifyExecutable(host, row));
  expect(code).toBe("PLUGIN_EXECUTABLE_UNTRUSTED");
  return message;
}

describe("before every spawn", () => {
  test("T7 the executable that was installed is opened, and the descriptor reads what was hashed", async () => {
    using folder = tempFolder();
    const { row } = installed(folder);
    const file = await verifyExecutable(testHost(), row);
    try {
      const bytes = new Uint8Array(10);
      expect(await file.read(bytes, 0)).toBe(4);
      expect(new TextDecoder().decode(bytes.subarray(0, 4))).toBe("good");
    } finally {
      await file.close();
    }
  });

  test("T7 a changed executable is refused, with no cache: the same row passes again when the bytes are back", async () => {
    using folder = tempFolder();
    const { row, path } = installed(folder);
    await (await verifyExecutable(testHost(), row)).close();
    const { mtime } = { mtime: new Date(1_700_000_000_000) };
    writeFileSync(path, "evil");
    const { utimesSync } = await import("node:fs");
    utimesSync(path, mtime, mtime);
    expect(await refused(row)).toBe(
      'The executable "run" of plugin "fli" is not the file that was installed.',
    );
    writeFileSync(path, "good");
    await (await verifyExecutable(testHost(), row)).close();
  });

  test("T7 an executable that is gone, a folder or a link is refused", async () => {
    using folder = tempFolder();
    const { row, path, root } = installed(folder);
    renameSync(path, join(root, "bin/real"));
    expect(await refused(row)).toBe('The executable "run" of plugin "fli" is not there.');
    symlinkSync("real", path);
    expect(await refused(row)).toBe('The executable "run" of plugin "fli" is a symbolic link.');
    rmSync(path);
    mkdirSync(path);
    expect(await refused(row)).toBe('The executable "run" of plugin "fli" is not a regular file.');
  });

  test("T7 an executable outside the install root is refused: by path, by .. and through a linked folder", async () => {
    using folder = tempFolder();
    const { row, root } = installed(folder);
    const outside = join(folder.path, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "run"), "good", { mode: 0o755 });
    const message = 'The executable "run" of plugin "fli" lies outside the plugin\'s install root.';
    expect(await refused({ ...row, executable_path: join(outside, "run") })).toBe(message);
    expect(await refused({ ...row, executable_path: `${root}/../outside/run` })).toBe(message);
    rmSync(join(root, "bin"), { recursive: true });
    symlinkSync(outside, join(root, "bin"));
    expect(await refused(row)).toBe(message);
  });

  test("T7 a folder whose name only begins like the install root is outside", async () => {
    using folder = tempFolder();
    const { row, root } = installed(folder);
    mkdirSync(`${root}-evil`);
    writeFileSync(`${root}-evil/run`, "good", { mode: 0o755 });
    expect(await refused({ ...row, executable_path: `${root}-evil/run` })).toContain("lies outside");
  });

  for (const name of ["bash", "python3.11", "Node", "busybox", "env"]) {
    test(`T7 a shell or bare interpreter is refused even with the right digest: ${name}`, async () => {
      using folder = tempFolder();
      const { row } = installed(folder, `bin/${name}`);
      expect(await refused(row)).toBe(
        `The executable "${name}" of plugin "fli" is a shell or a bare interpreter.`,
      );
    });
  }

  test("T7 a relative executable_path is taken from the install root", async () => {
    using folder = tempFolder();
    const { row } = installed(folder);
    await (await verifyExecutable(testHost(), { ...row, executable_path: "bin/run" })).close();
  });

  test("T30 a file swapped at the path after opening never changes what the descriptor holds", async () => {
    using folder = tempFolder();
    const { row, path } = installed(folder);
    const file = await verifyExecutable(testHost(), row);
    try {
      writeFileSync(`${path}.new`, "evil");
      renameSync(`${path}.new`, path);
      expect(readFileSync(path, "utf8")).toBe("evil");
      expect(await file.sha256()).toBe(goodSha256);
    } finally {
      await file.close();
    }
  });

  test("T30 a swap between opening and resolving the path is caught", async () => {
    using folder = tempFolder();
    const { row, path } = installed(folder);
    const real = testHost();
    const host = failingHost({
      async realpath(asked) {
        if (asked === path) {
          writeFileSync(`${path}.new`, "good");
          renameSync(`${path}.new`, path);
        }
        return real.files.realpath(asked);
      },
    });
    expect(await refused(row, host)).toBe(
      'The executable "run" of plugin "fli" was swapped while it was checked.',
    );
  });

  test("every refusal closes the descriptor", async () => {
    using folder = tempFolder();
    const { row, path } = installed(folder);
    let open = 0;
    const real = testHost();
    const host = failingHost({
      async open(asked, how) {
        const file = await real.files.open(asked, how);
        open++;
        return {
          ...file,
          async close() {
            open--;
            await file.close();
          },
        };
      },
    });
    writeFileSync(path, "evil");
    await refused(row, host);
    chmodSync(path, 0o700);
    await refused({ ...row, install_root: join(row.install_root, "bin", "..", "..", "nowhere") }, host);
    expect(open).toBe(0);
  });
});
