import { basename, join, resolve } from "node:path/posix";
import { GumError, isErrno } from "../base/errors.ts";
import type { Host, OpenFile } from "../host/host.ts";
import { isShellOrInterpreter } from "../model/interpreter-names.ts";
import type { LockRow } from "../model/registry.ts";

/** What of a lock row says which file may run. */
export type ExecutableBinding = Pick<
  LockRow,
  "name" | "install_root" | "executable_path" | "executable_sha256"
>;

/**
 * Opens the executable once, proves through that descriptor that it is the file that was installed, and returns the
 * descriptor, so that what was hashed is what runs. The caller closes it. Anything else: PLUGIN_EXECUTABLE_UNTRUSTED.
 */
export async function verifyExecutable(host: Host, row: ExecutableBinding): Promise<OpenFile> {
  const file = await openInside(host, row);
  try {
    const digest = await file.sha256();
    if (digest !== row.executable_sha256) {
      throw untrusted(row, "is not the file that was installed", {
        expected_sha256: row.executable_sha256,
        actual_sha256: digest,
      });
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Opens the executable and hashes it, to record it at install; the same checks as before a spawn. */
export async function hashExecutable(
  host: Host,
  row: Omit<ExecutableBinding, "executable_sha256">,
): Promise<{ sha256: string; size: number }> {
  const file = await openInside(host, row);
  try {
    return { sha256: await file.sha256(), size: (await file.stat()).size };
  } finally {
    await file.close();
  }
}

type Located = Omit<ExecutableBinding, "executable_sha256">;

async function openInside(host: Host, row: Located): Promise<OpenFile> {
  const path = resolve(row.install_root, row.executable_path);
  const file = await orUntrusted(row, () => host.files.open(path, "read-no-follow"));
  try {
    const opened = await file.stat();
    if (opened.kind !== "file") throw untrusted(row, "is not a regular file");
    const real = await orUntrusted(row, () => host.files.realpath(path));
    const root = await orUntrusted(row, () => host.files.realpath(row.install_root));
    if (!real.startsWith(join(root, "/"))) throw untrusted(row, "lies outside the plugin's install root");
    if (isShellOrInterpreter(basename(real)) || isShellOrInterpreter(basename(path))) {
      throw untrusted(row, "is a shell or a bare interpreter");
    }
    // The path was resolved after the file was opened: only the same inode makes both statements about one file.
    const there = await orUntrusted(row, () => host.files.lstat(real));
    if (there.ino !== opened.ino || there.dev !== opened.dev)
      throw untrusted(row, "was swapped while it was checked");
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function orUntrusted<T>(row: Located, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) throw untrusted(row, "is not there");
    if (isErrno(error, "ELOOP", "EMLINK")) throw untrusted(row, "is a symbolic link");
    if (isErrno(error, "EACCES", "EPERM", "EIO", "ENXIO")) throw untrusted(row, "cannot be read");
    throw error;
  }
}

function untrusted(row: Located, why: string, details: Readonly<Record<string, string>> = {}): GumError {
  return new GumError(
    "PLUGIN_EXECUTABLE_UNTRUSTED",
    `The executable "${basename(row.executable_path)}" of plugin "${row.name}" ${why}.`,
    { details: { plugin: row.name, ...details } },
  );
}
