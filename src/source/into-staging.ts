import { GumError, isErrno } from "../base/errors.ts";

const faults = ["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM", "EIO", "EFBIG", "EMFILE", "ENFILE"] as const;

/** Runs a write into the staging folder; what fails there is the registry's fault, not the source's. */
export async function intoStaging<T>(
  doing: "fetch" | "unpack" | "build",
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof GumError || !isErrno(error, ...faults)) throw error;
    const errno = error instanceof Error && "code" in error ? String(error.code) : "EIO";
    throw new GumError("REGISTRY_IO", `Cannot ${doing} into the registry's folders: ${errno}.`, {
      details: { errno },
      cause: error,
    });
  }
}
