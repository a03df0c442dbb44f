// Rules for the names and links of a tree of files that somebody else made (T5, T26).
import { findUnsafe } from "./safe-text.ts";

const maxLinkHops = 40;

/** Why a single name may not be part of a plugin, as the rest of a sentence; undefined when it may. */
export function nameFault(name: string): string | undefined {
  if (name.includes("\ufffd")) return "has a name that is not valid UTF-8";
  const bad = findUnsafe(name);
  if (bad !== undefined) return `has a name with ${bad.name}, ${bad.kind}`;
  if (/[\t\n\r]/.test(name)) return "has a name with a control character";
  if (name.includes("\\")) return "has a backslash in its name";
  return undefined;
}

/** The name without case and Unicode form: two names that fold alike are one file on other systems. */
export function foldedName(name: string): string {
  return name.normalize("NFD").toUpperCase().toLowerCase().normalize("NFC");
}

/** A path as it may be printed, cut to its end. */
export function printablePath(path: string): string {
  return path.replace(/[\p{C}\p{Zl}\p{Zp}\ufffd]/gu, "?").slice(-200);
}

/** Follows a link in a tree as the kernel would, through other links too, without asking the file system. */
export function followLink(path: string, links: ReadonlyMap<string, string>): "inside" | "outside" | "loop" {
  const at = path.split("/").slice(0, -1);
  let ahead = [path.slice(path.lastIndexOf("/") + 1)];
  let hops = 0;
  for (let step = ahead.shift(); step !== undefined; step = ahead.shift()) {
    if (step === "" || step === ".") continue;
    if (step === "..") {
      if (at.pop() === undefined) return "outside";
      continue;
    }
    const target = links.get([...at, step].join("/"));
    if (target === undefined) {
      at.push(step);
      continue;
    }
    if (target.startsWith("/")) return "outside";
    if (++hops > maxLinkHops) return "loop";
    ahead = [...target.split("/"), ...ahead];
  }
  return "inside";
}
