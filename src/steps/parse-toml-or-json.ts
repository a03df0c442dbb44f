import { errnoWords } from "../base/errno-words.ts";
import { GumError, isErrno } from "../base/errors.ts";
import { chooseManifest, maxManifestBytes, parseManifest } from "../manifest/read.ts";
import { defineStep } from "../pipeline/step.ts";
import { readInside } from "./folder-files.ts";

const longestShownPath = 200;

/** Finds the one manifest of the folder and reads its values with their places. */
export const parseTomlOrJson = defineStep({
  name: "parse-toml-or-json",
  summary: "Find the one manifest of the folder and parse it, strictly.",
  needs: ["folder"],
  gives: ["document"],
  codes: ["PLUGIN_MANIFEST_NOT_FOUND", "PLUGIN_MANIFEST_INVALID", "PLUGIN_FETCH_FAILED"],
  async run({ folder }, { host, note }) {
    const name = chooseManifest(await listFolder(() => host.files.list(folder), folder));
    const bytes = await readManifest(
      () => readInside(host.files, folder, name, { maxBytes: maxManifestBytes }),
      name,
    );
    const document = await parseManifest({ name, bytes });
    note(`${name}, ${bytes.length} bytes`);
    return { document };
  },
});

async function listFolder(list: () => Promise<string[]>, path: string): Promise<string[]> {
  try {
    return await list();
  } catch (error) {
    const why = errnoWords(error);
    if (why === undefined) throw error;
    throw new GumError("PLUGIN_FETCH_FAILED", folderFault(error, path, why), { cause: error });
  }
}

function folderFault(error: unknown, path: string, why: string): string {
  if (isErrno(error, "ENOENT")) return `There is no folder ${path}.`;
  if (isErrno(error, "ENOTDIR")) return `${path} is not a folder.`;
  if (isErrno(error, "EACCES")) return `The folder ${path} cannot be read.`;
  const shown = path.length > longestShownPath ? `${path.slice(0, longestShownPath - 1)}…` : path;
  return `The folder ${shown} cannot be read: ${why}.`;
}

async function readManifest(read: () => Promise<Uint8Array>, name: string): Promise<Uint8Array> {
  try {
    return await read();
  } catch (error) {
    const known = refusals.find(([code]) => isErrno(error, code));
    throw new GumError("PLUGIN_MANIFEST_INVALID", `The manifest ${name} ${known?.[1] ?? "cannot be read"}.`, {
      at: { file: name },
      hint: known?.[2] ?? "check the file's permissions",
      cause: error,
    });
  }
}

const refusals: readonly (readonly [errno: string, predicate: string, hint: string])[] = [
  ["EFBIG", "is larger than 1 MiB", "move what is no manifest out of it"],
  ["EISDIR", "is a folder", "put a file of this name there"],
  ["ELOOP", "is a symbolic link, which gum does not follow", "put the file itself there"],
];
