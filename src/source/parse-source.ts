// What a person may name as a source. Nothing is looked at: the text alone says which kind it is.
import { basename, resolve } from "node:path/posix";
import { GumError } from "../base/errors.ts";
import type { Source } from "../model/install.ts";
import { stripUnsafe } from "../model/safe-text.ts";
import { gitProtocols } from "./git-command.ts";

export interface SourceOptions {
  readonly cwd: string;
  /** What the user said the archive's SHA-256 is. */
  readonly sha256?: string | undefined;
}

const archiveName = /\.(?:zip|tar\.gz|tgz)$/i;
const otherArchiveName =
  /\.(?:tar|tar\.(?:bz2|xz|zst|lz4?|br)|tbz2?|txz|tzst|7z|rar|gz|bz2|xz|zst|jar|whl|egg)$/i;

/** The source that a text names; a text that names none is USAGE with what to write instead. */
export function parseSource(text: string, options: SourceOptions): Source {
  const sha256 = options.sha256 === undefined ? undefined : digestOf(options.sha256);
  if (text.trim() === "" || text.includes("\0"))
    throw usage("The source is empty.", "name a folder, an archive or an address");
  if (text.startsWith("git+")) return gitSource(text, sha256);
  if (/^https?:/i.test(text)) return urlSource(text, sha256);
  refuseLookAlikes(text);
  const path = resolve(options.cwd, text);
  if (archiveName.test(text)) return { kind: "archive", path, sha256 };
  if (sha256 !== undefined)
    throw usage(`A folder has no SHA-256: ${shown(text)}.`, "leave out --sha256, or name the archive");
  return { kind: "folder", path };
}

/** The source as a person reads it. */
export function sourceText(source: Source): string {
  switch (source.kind) {
    case "folder":
    case "archive":
      return source.path;
    case "url":
      return source.url;
    case "git":
      return `git+${source.url}@${source.commit}`;
  }
}

/** The source without the way to it, such as `hello.zip`. */
export function sourceName(source: Source): string {
  const path =
    source.kind === "folder" || source.kind === "archive" ? source.path : new URL(source.url).pathname;
  return basename(path) || source.kind;
}

function digestOf(text: string): string {
  const digest = text.replace(/^sha256[:-]/i, "").toLowerCase();
  if (/^[0-9a-f]{64}$/.test(digest)) return digest;
  throw usage(
    "The value of --sha256 is not 64 hex digits.",
    "take it from the publisher, or from `sha256sum <file>`",
  );
}

function urlSource(text: string, sha256: string | undefined): Source {
  const url = addressOf(text, text);
  if (url.pathname.endsWith(".git")) {
    throw usage(
      `A repository is named with git+ and a commit: ${shown(text)}.`,
      `use git+${shown(text)}@<40 hex digits>`,
    );
  }
  if (sha256 === undefined) {
    throw usage(
      `An address needs the SHA-256 of its archive: ${shown(text)}.`,
      "add --sha256 <64 hex digits>",
    );
  }
  url.hash = "";
  return { kind: "url", url: url.href, sha256 };
}

function gitSource(text: string, sha256: string | undefined): Source {
  const [, address = "", commit = ""] = /^git\+(.*)@([0-9a-fA-F]{40})$/.exec(text) ?? [];
  if (commit === "") {
    throw usage(
      `A repository needs the commit that is meant: ${shown(text)}.`,
      "end it with @ and the 40 hex digits of `git rev-parse HEAD`; branches and tags can move",
    );
  }
  if (sha256 !== undefined)
    throw usage("A repository has no SHA-256: its commit is the proof.", "leave out --sha256");
  const url = addressOf(address, text);
  if (!gitProtocols.some((protocol) => url.protocol === `${protocol}:`)) {
    throw usage(`gum clones over https, ssh or from a file: ${shown(text)}.`, "use git+https://…@<commit>");
  }
  // Otherwise an address could become an option of ssh or git.
  if (
    url.hostname.startsWith("-") ||
    decodeURIComponent(url.username).startsWith("-") ||
    url.pathname.includes("\n")
  ) {
    throw usage(`The address of the repository is not usable: ${shown(text)}.`, "check the address");
  }
  if (url.protocol === "file:" && url.hostname !== "") {
    throw usage(
      `A repository on this machine has three slashes: ${shown(text)}.`,
      "use git+file:///path@<commit>",
    );
  }
  return { kind: "git", url: url.href, commit: commit.toLowerCase() };
}

function addressOf(address: string, text: string): URL {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw usage(`The address cannot be read: ${shown(text)}.`, "write it as https://host/path");
  }
  const named = url.username !== "" && url.protocol !== "ssh:";
  if (url.password !== "" || named) {
    throw usage(
      "An address must not hold a user or a password, since it is shown and recorded.",
      "leave the credentials out",
    );
  }
  return url;
}

/** Words that mean something to other tools, so that no folder of that name is looked for. */
const lookAlikes: readonly (readonly [pattern: RegExp, says: string, hint: string])[] = [
  [
    /^npm:|^@[a-z0-9~-][\w.~-]*\/[\w.~-]+(?:@[\w.^~-]+)?$/i,
    "An npm package is not a source",
    "download its archive (`npm pack`) and name that; a folder of this name is written with ./ before it",
  ],
  [
    /^(?:pypi|pip|uvx?|pipx):/i,
    "A PyPI package is not a source",
    "download its source archive and name that",
  ],
  [
    /^(?:github|gh|gitlab|bitbucket):/i,
    "A short name of a repository is not a source",
    "use git+https://…@<commit>",
  ],
  [/^(?:docker|oci|ghcr\.io)[:/]/i, "A container image is not a source", "name a folder or an archive"],
  [/^file:/i, "A file is named by its path", "leave out file://"],
  [
    /^(?:git|ssh):\/\/|^[\w.-]+@[\w.-]+:/i,
    "A repository is named with git+ and a commit",
    "use git+ssh://…@<commit>",
  ],
  [/^[a-z][a-z0-9+.-]*:\/\//i, "gum fetches over https, http and git+https", "use one of these"],
];

function refuseLookAlikes(text: string): void {
  for (const [pattern, says, hint] of lookAlikes) {
    if (pattern.test(text)) throw usage(`${says}: ${shown(text)}.`, hint);
  }
  if (otherArchiveName.test(text) && !archiveName.test(text)) {
    throw usage(`gum does not unpack this kind of archive: ${shown(text)}.`, "use .zip, .tar.gz or .tgz");
  }
}

/** Words of the user, without a password that may stand in them. */
function shown(text: string): string {
  const plain = stripUnsafe(text).replaceAll(/\s+/g, " ").slice(0, 200);
  return `"${plain.replace(/\/\/[^/?#]*@/, "//")}"`;
}

function usage(message: string, hint: string): GumError {
  return new GumError("USAGE", message, { hint });
}
