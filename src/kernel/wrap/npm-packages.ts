// Which packages a package needs, as node finds them, and how they can lie in another folder so that it finds them there.
import { dirname, join, relative } from "node:path/posix";
import { GumError } from "../../base/errors.ts";
import type { Files } from "../../host/host.ts";
import { isFolder, readTable, type Table, tableOf } from "./read-json.ts";

interface Needed {
  /** The package's real folder. */
  readonly folder: string;
  readonly dependencies: ReadonlyMap<string, string>;
}

/** Where every package of a server is, and where it goes. */
export interface PackageLayout {
  /** From real folder to path in the new place; the server's own package is among them. */
  readonly places: ReadonlyMap<string, string>;
  readonly links: readonly { readonly path: string; readonly target: string }[];
}

/** All packages that the one in `folder` reaches, laid out below `below` as they lie now. */
export async function layOutPackages(files: Files, folder: string, below: string): Promise<PackageLayout> {
  const needed = await packagesFrom(files, folder);
  const base = commonFolder(needed.map((one) => one.folder));
  const places = new Map(needed.map((one) => [one.folder, join(below, relative(base, one.folder))]));
  const taken = new Set(places.values());
  const links = needed.flatMap((one) => missingLinks(one, places, taken));
  return { places, links };
}

async function packagesFrom(files: Files, first: string): Promise<Needed[]> {
  const found = new Map<string, Needed>();
  const waiting = [first];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (found.has(folder)) continue;
    const dependencies = await dependenciesOf(files, folder);
    found.set(folder, { folder, dependencies });
    waiting.push(...dependencies.values());
  }
  return [...found.values()];
}

/** The dependencies of a package by name, with the real folders that node would take them from. */
async function dependenciesOf(files: Files, folder: string): Promise<Map<string, string>> {
  const manifest = (await readTable(files, join(folder, "package.json"))) ?? {};
  const optional = names(manifest, "optionalDependencies");
  const wanted = [...names(manifest, "dependencies"), ...optional, ...names(manifest, "peerDependencies")];
  const required = new Set(names(manifest, "dependencies").filter((name) => !optional.includes(name)));
  const found = new Map<string, string>();
  for (const name of new Set(wanted)) {
    const place = await lookUp(files, folder, name);
    if (place !== undefined) found.set(name, place);
    else if (required.has(name)) throw absent(folder, name);
  }
  return found;
}

function names(manifest: Table, key: string): string[] {
  return Object.keys(tableOf(manifest[key]));
}

async function lookUp(files: Files, from: string, name: string): Promise<string | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (await isFolder(files, candidate)) return files.realpath(candidate);
    if (folder === "/") return undefined;
  }
}

/** Links for what node would no longer find by walking up, as in the stores of pnpm. */
function missingLinks(
  { folder, dependencies }: Needed,
  places: ReadonlyMap<string, string>,
  taken: ReadonlySet<string>,
): { path: string; target: string }[] {
  const own = places.get(folder) ?? "";
  return [...dependencies].flatMap(([name, from]) => {
    const to = places.get(from) ?? "";
    if (reached(own, name, taken) === to) return [];
    const path = join(own, "node_modules", name);
    return [{ path, target: relative(dirname(path), to) }];
  });
}

function reached(own: string, name: string, taken: ReadonlySet<string>): string | undefined {
  for (let folder = own; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (taken.has(candidate)) return candidate;
    if (folder === "." || folder === "/") return undefined;
  }
}

/** The deepest folder that holds all of them, with the `node_modules` in which node looks for them. */
function commonFolder(folders: readonly string[]): string {
  const [first = [], ...rest] = folders.map((folder) => folder.split("/"));
  const words = [...first];
  for (const other of rest) {
    const differing = words.findIndex((word, index) => other[index] !== word);
    if (differing >= 0) words.length = differing;
  }
  const folder = words.join("/").replace(/\/node_modules(?:\/@[^/]*)?$/, "");
  return folder === "" ? "/" : folder;
}

function absent(folder: string, name: string): GumError {
  return new GumError(
    "PLUGIN_FETCH_FAILED",
    `The package "${name}", which the server needs, is not installed.`,
    {
      hint: `run \`npm install --ignore-scripts\` in ${folder} first`,
      details: { cause: "module_missing", package: name },
    },
  );
}
