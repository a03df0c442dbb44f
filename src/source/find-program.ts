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
