import { join } from "node:path/posix";
import { sha256 } from "../base/digest.ts";
import { GumError, isErrno } from "../base/errors.ts";
import { didYouMean } from "../base/suggest.ts";
import type { Files } from "../host/host.ts";
import type { PipelineTexts } from "../pipeline/load.ts";
import { type PackedFile, unpackPipelineFile } from "../pipeline/packed.ts";
import { maxPipelineBytes } from "../pipeline/pipeline.ts";
import { contracts, type PipelineName } from "../steps/contracts.ts";
import { shippedPipelines } from "../steps/shipped.ts";
import packed from "../steps/shipped-parsed.json" with { type: "json" };

export const pipelineNames = Object.keys(contracts).filter(isPipelineName);

/** Written by src/dev/pack-pipelines.ts, which a JSON module's inferred type cannot say. */
const shippedParses = packed as unknown as Readonly<Record<string, PackedFile | undefined>>;

/** Whether gum ships a pipeline of this name. */
export function isPipelineName(name: string): name is PipelineName {
  return Object.hasOwn(contracts, name);
}

/** The texts that run: the operator's file where there is one, else what is shipped. */
export async function readPipelineTexts(
  files: Files,
  folder: string | undefined,
  options: { readonly strangers: "refuse" | "ignore" } = { strangers: "refuse" },
): Promise<PipelineTexts> {
  const edited = new Map<string, { file: string; text: string }>();
  if (folder !== undefined) {
    await mustBeFolder(files, folder);
    await refuseStrangers(files, folder, options.strangers);
    for (const name of pipelineNames) {
      const file = join(folder, `${name}.yaml`);
      const text = await readIfThere(files, file);
      if (text !== undefined) edited.set(name, { file, text });
    }
  }
  const read = await readerFor([...edited.values()].map(({ text }) => text));
  const shipped = (name: string): string | undefined =>
    isPipelineName(name) ? shippedPipelines[name] : undefined;
  return {
    shipped,
    read,
    find(name) {
      const own = edited.get(name);
      if (own !== undefined) return { ...own, edited: true };
      const text = shipped(name);
      return text === undefined ? undefined : { file: `pipelines/${name}.yaml`, text, edited: false };
    },
  };
}

/** Reads the shipped texts from their parses; the YAML reader is only loaded where another text may have to be read. */
async function readerFor(edited: readonly string[]): Promise<PipelineTexts["read"]> {
  const known = new Map<string, PackedFile>();
  for (const name of pipelineNames) {
    const parse = shippedParses[name];
    if (parse?.sha256 === sha256(shippedPipelines[name])) known.set(shippedPipelines[name], parse);
  }
  const complete = known.size === pipelineNames.length && edited.every((text) => known.has(text));
  const yaml = complete ? undefined : await import("../pipeline/read.ts");
  return (file, text) => {
    const parse = known.get(text);
    if (parse !== undefined) return unpackPipelineFile(parse, file, text);
    if (yaml === undefined) throw new Error(`Cannot read ${file}: its text was not announced`);
    return yaml.readPipelineFile(file, text);
  };
}

/** A folder that was named but is not there must not silently mean the shipped checks. */
async function mustBeFolder(files: Files, folder: string): Promise<void> {
  try {
    if ((await files.stat(folder)).kind === "folder") return;
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ENOTDIR", "EACCES")) throw error;
  }
  throw new GumError("PIPELINE_INVALID", `The pipelines folder ${folder} is not a folder that can be read.`, {
    hint: "make one with `gum pipeline export <dir>`, or leave --pipelines, GUM_PIPELINES and pipelines.dir unset",
  });
}

/** Files of the folder that look like pipelines and have no pipeline's name. */
export function strangersAmong(names: readonly string[]): string[] {
  return names.filter((name) => /\.ya?ml$/i.test(name) && !fileNames.includes(name));
}

/** A slip of the keyboard must not hide an edited check behind the shipped one. */
export function strangerError(folder: string, name: string): GumError {
  const near = didYouMean(name, fileNames);
  return new GumError("PIPELINE_INVALID", `The file ${name} is no pipeline's${near || "."}`, {
    at: { file: join(folder, name) },
    hint: "rename it, or keep other YAML files elsewhere",
  });
}

const fileNames = pipelineNames.map((name) => `${name}.yaml`);

async function refuseStrangers(files: Files, folder: string, strangers: "refuse" | "ignore"): Promise<void> {
  const names = await files.list(folder);
  const [stranger] = strangersAmong(names);
  if (stranger !== undefined && strangers === "refuse") throw strangerError(folder, stranger);
  if (names.some((name) => fileNames.includes(name))) return;
  throw new GumError("PIPELINE_INVALID", `The folder ${folder} holds no pipeline.`, {
    hint: "make copies with `gum pipeline export <dir>`",
  });
}

async function readIfThere(files: Files, path: string): Promise<string | undefined> {
  // A link that leads nowhere is there: only a name that is not counts as absent.
  if (!(await files.exists(path))) return undefined;
  try {
    return await files.readText(path, { maxBytes: maxPipelineBytes });
  } catch (error) {
    const why = isErrno(error, "EFBIG")
      ? `is larger than ${maxPipelineBytes} bytes`
      : "cannot be read as text";
    throw new GumError("PIPELINE_INVALID", `The pipeline file ${path} ${why}.`, {
      at: { file: path },
      cause: error,
    });
  }
}
