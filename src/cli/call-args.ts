// D6: how the arguments of a call are written on the command line.
//   {"a":1}   a JSON object          key=text     a text
//   -         a JSON object, stdin   key:=json    any JSON value
//   @file     a JSON object, file    key=@file    the text of a file

import { resolve } from "node:path/posix";
import { isErrno } from "../base/errors.ts";
import { isRecord } from "../base/record.ts";
import type { Host } from "./context.ts";
import { usage } from "./parse.ts";

const maxBytes = 16 * 1024 * 1024;

/** The arguments of a call out of its words. Each name may be said once; only a later `key=` may refine an object. */
export async function readCallArguments(
  command: string,
  words: readonly string[],
  host: Host,
): Promise<Readonly<Record<string, unknown>>> {
  const values = new Map<string, unknown>();
  const said = new Set<string>();
  let whole = false;
  for (const word of words) {
    if (isWhole(word)) {
      if (whole) throw usage(command, "The arguments are given as a whole twice");
      whole = true;
      for (const [key, value] of Object.entries(await readWhole(command, word, host))) {
        if (!said.has(key)) values.set(key, value);
      }
      continue;
    }
    const [key, value] = await readPair(command, word, host);
    if (said.has(key)) throw usage(command, `The argument "${key}" is given twice`);
    said.add(key);
    values.set(key, value);
  }
  return Object.fromEntries(values);
}

function isWhole(word: string): boolean {
  return word === "-" || word.startsWith("@") || /^\s*[{[]/.test(word);
}

async function readWhole(command: string, word: string, host: Host): Promise<object> {
  if (word === "-") return objectOf(command, "Standard input", await readInput(command, host));
  if (!word.startsWith("@")) return objectOf(command, "The argument text", word);
  const file = word.slice(1);
  return objectOf(command, `The file ${file}`, await readFile(command, file, host));
}

async function readPair(command: string, word: string, host: Host): Promise<[string, unknown]> {
  const split = word.indexOf("=");
  const isJson = word[split - 1] === ":";
  const key = word.slice(0, isJson ? split - 1 : split);
  if (split < 0 || key === "") {
    throw usage(command, `"${word}" is no argument: write key=value, key:=json, @file.json or a JSON object`);
  }
  const text = word.slice(split + 1);
  if (isJson) return [key, parseJson(command, `The argument "${key}"`, text)];
  return [key, text.startsWith("@") ? await readFile(command, text.slice(1), host) : text];
}

async function readInput(command: string, { terminal }: Host): Promise<string> {
  try {
    return await terminal.readInput({ maxBytes });
  } catch (error) {
    throw usage(
      command,
      isErrno(error, "EFBIG") ? "Standard input is larger than 16 MiB" : "Standard input is not UTF-8",
    );
  }
}

async function readFile(command: string, file: string, { files, machine }: Host): Promise<string> {
  try {
    return await files.readText(resolve(machine.cwd, file), { maxBytes });
  } catch (error) {
    if (isErrno(error, "ENOENT")) throw usage(command, `The file ${file} is not there`);
    if (isErrno(error, "EFBIG")) throw usage(command, `The file ${file} is larger than 16 MiB`);
    if (error instanceof TypeError) throw usage(command, `The file ${file} is not UTF-8`);
    throw usage(command, `The file ${file} cannot be read`);
  }
}

function objectOf(command: string, what: string, text: string): object {
  const value = parseJson(command, what, text);
  if (isRecord(value)) return value;
  throw usage(command, `${what} is not a JSON object`);
}

function parseJson(command: string, what: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usage(command, `${what} is not JSON`);
  }
}
