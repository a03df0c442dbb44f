const words: Readonly<Record<string, string>> = {
  EACCES: "permission is denied",
  EPERM: "the system does not permit it",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENOENT: "it is not there",
  ENOTDIR: "a part of the path is not a folder",
  EISDIR: "it is a folder",
  EEXIST: "something is there already",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "symbolic links lead in a circle, or are not followed",
  EFBIG: "it is too large",
  EIO: "the device failed",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
};

/** Why the operating system refused, as the end of a sentence; undefined for what is no fault of files. */
export function errnoWords(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return Object.hasOwn(words, code) ? words[code] : undefined;
}
