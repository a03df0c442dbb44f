import { GumError } from "../base/errors.ts";
import { nameFault, printablePath } from "../model/entry-names.ts";
import type { UnpackLimits } from "./limits.ts";

/** The refusal of one entry, with the reason as the rest of the sentence. */
export function unsafeEntry(name: string, why: string): GumError {
  return new GumError("PLUGIN_ARCHIVE_UNSAFE", `The entry "${printablePath(name)}" ${why}.`, {
    details: { entry: printablePath(name) },
  });
}

/** The refusal of an archive as a whole. */
export function unsafeArchive(why: string): GumError {
  return new GumError("PLUGIN_ARCHIVE_UNSAFE", `The archive ${why}.`, {
    hint: "make the archive again, or ask its author to",
  });
}

/** Bytes of a name as text; anything but UTF-8 is refused, since it could not be shown. */
export function entryName(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unsafeEntry(new TextDecoder().decode(bytes), "has a name that is not valid UTF-8");
  }
}

/** The path of an entry below the folder that is unpacked into; "" for that folder itself. */
export function entryPath(name: string, limits: UnpackLimits): string {
  if (name === "") throw unsafeEntry(name, "has no name");
  if (name.startsWith("/")) throw unsafeEntry(name, "has an absolute path");
  if (/^[A-Za-z]:/.test(name)) throw unsafeEntry(name, "starts with a drive letter");
  const fault = nameFault(name);
  if (fault !== undefined) throw unsafeEntry(name, fault);
  // tar writes folders as `./` and `./name/`.
  const path = name.replace(/^(?:\.\/)+/, "").replace(/\/$/, "");
  if (path === "" || path === ".") return "";
  const parts = path.split("/");
  if (parts.includes("..")) throw unsafeEntry(name, "leaves the archive's folder");
  if (parts.includes("") || parts.includes(".")) throw unsafeEntry(name, "has an empty part in its path");
  if (parts.length > limits.depth) throw unsafeEntry(name, `lies more than ${limits.depth} folders deep`);
  const bytes = (text: string): number => new TextEncoder().encode(text).length;
  if (bytes(path) > limits.pathBytes || parts.some((part) => bytes(part) > 255))
    throw unsafeEntry(name, "has too long a path");
  return path;
}
