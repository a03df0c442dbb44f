import { GumError, type Place } from "../base/errors.ts";
import { type Read, readJson } from "../base/json-reader.ts";
import { firstDate } from "../base/marks.ts";
import { placeIn } from "../base/place.ts";
import { ReadFault } from "../base/read-fault.ts";
import { isRecord } from "../base/record.ts";
import { readToml } from "../base/toml-reader.ts";
import type { ManifestDocument, ManifestName } from "../model/document.ts";
import { makeDocument } from "./document.ts";

export const manifestNames = ["manifest.json", "manifest.toml", "mcp-plugin.json"] as const;

/** A manifest, and any file beside it that gum reads as JSON or TOML, may not be larger. */
export const maxManifestBytes = 1024 * 1024;

export interface ManifestFile {
  readonly name: ManifestName;
  readonly bytes: Uint8Array;
}

/** The one manifest among the names of a folder (M1). */
export function chooseManifest(names: readonly string[]): ManifestName {
  const found = manifestNames.filter((name) => names.includes(name));
  const [first, ...others] = found;
  if (first === undefined) {
    throw new GumError(
      "PLUGIN_MANIFEST_NOT_FOUND",
      "The folder has no manifest.json, manifest.toml or mcp-plugin.json.",
    );
  }
  if (others.length > 0) {
    throw new GumError(
      "PLUGIN_MANIFEST_INVALID",
      `The folder has more than one manifest: ${found.join(", ")}.`,
      {
        hint: "keep exactly one of them",
        details: { files: found },
      },
    );
  }
  return first;
}

/** The manifest as values with positions; what cannot be read is PLUGIN_MANIFEST_INVALID with its place (M2). */
export async function parseManifest(file: ManifestFile): Promise<ManifestDocument> {
  if (file.bytes.length > maxManifestBytes) {
    throw invalid(`${file.name} is larger than 1 MiB.`, { file: file.name, line: 1, column: 1 });
  }
  const toml = file.name.endsWith(".toml");
  const text = decode(file, toml);
  const { value, marks } = await readOrRefuse(file.name, text, toml);
  if (!isRecord(value)) {
    throw invalid(`${file.name} must hold one object at its top.`, placeIn(file.name, text, marks.at));
  }
  const date = firstDate(marks);
  if (date !== undefined) {
    const at = placeIn(file.name, text, date.at);
    throw invalid(`${file.name} holds a date where gum reads text: write it in quotes.`, at);
  }
  return makeDocument(file.name, text, value, marks);
}

async function readOrRefuse(name: string, text: string, toml: boolean): Promise<Read> {
  try {
    return toml ? await readToml(text) : readJson(text);
  } catch (error) {
    if (!(error instanceof ReadFault)) throw error;
    throw invalid(`${name} cannot be read: ${error.message}.`, placeIn(name, text, error.offset));
  }
}

function decode(file: ManifestFile, toml: boolean): string {
  const text = decodeUtf8(file.bytes);
  if (text === undefined) {
    const lossy = new TextDecoder("utf-8").decode(file.bytes);
    throw invalid(`${file.name} is not valid UTF-8.`, placeIn(file.name, lossy, lossy.indexOf("\ufffd")));
  }
  // The parser takes a carriage return before the end of a comment for a stray control character.
  return toml ? text.replaceAll("\r\n", "\n") : text;
}

/** The text of bytes without a byte order mark, or undefined when they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function invalid(message: string, at: Place): GumError {
  return new GumError("PLUGIN_MANIFEST_INVALID", message, { at });
}
