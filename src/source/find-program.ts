import { isAbsolute } from "node:path/posix";
import { isErrno } from "../base/errors.ts";
import type { Host } from "../host/host.ts";

/** The first program of that name on the user's PATH; undefined when there is none. */
export async function findProgram(
  host: Pick<Host, "files" | "env">,
  name: string,
): Promise<string | undefined> {
  for (const folder of (host.env.PATH ?? "").split(":").filter(isAbsolute)) {
    const path = `${folder.replace(/\/+$/, "")}/${name}`;
    try {
      const facts = await host.files.stat(path);
      if (facts.kind === "file" && (facts.mode & 0o111) !== 0) return path;
    } catch (error) {
      if (!isErrno(error, "ENOENT", "ENOTDIR", "EACCES", "ELOOP")) throw error;
    }
  }
  return undefined;
}

const nativeFormats = [0x7f454c46, 0xcffaedfe, 0xcafebabe, 0xcafebabf];

/** Whether a file is machine code (ELF, or Mach-O on macOS) rather than a script or data. */
export async function isNativeProgram(host: Pick<Host, "files">, path: string): Promise<boolean> {
  const file = await host.files.open(path, "read");
  try {
    const head = new Uint8Array(4);
    const count = await file.read(head, 0);
    return count === 4 && nativeFormats.includes(new DataView(head.buffer).getUint32(0, false));
  } finally {
    await file.close();
  }
}
