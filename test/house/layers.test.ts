import { describe, expect, test } from "bun:test";
import { posix } from "node:path";
import { type Import, importsOf, lineAt, readSources, type SourceFile, sourceOf } from "./source.ts";

const low = [
  "base",
  "model",
  "host",
  "manifest",
  "output",
  "wire",
  "sandbox",
  "secrets",
  "registry",
  "trust",
  "source",
];

/** Which room of src/ may import which. */
const mayImport: Record<string, readonly string[]> = {
  base: [],
  model: ["base"],
  host: ["base"],
  manifest: ["base", "model"],
  output: ["base", "model"],
  wire: ["base", "model", "host"],
  sandbox: ["base", "model", "host"],
  secrets: ["base", "model", "host"],
  registry: ["base", "model", "host"],
  trust: ["base", "model", "host"],
  source: ["base", "model", "host"],
  pipeline: ["base", "model", "host"],
  steps: [...low, "pipeline"],
  kernel: [...low, "pipeline", "steps"],
  esm: ["base", "model"],
  mcp: ["base", "model", "output", "kernel"],
  cli: ["base", "model", "output", "kernel", "mcp"],
  "main.ts": ["base", "host", "kernel", "cli", "esm", "sandbox"],
  "assets.d.ts": [],
};

/** Rooms from which others may take types alone. */
const typesOnly: readonly (readonly [from: string, of: string])[] = [["pipeline", "host"]];

/** Where the runtime itself may be named. */
const runtimeRooms = ["host", "esm", "main.ts", "dev"];
const runtimeModules =
  /^(?:bun|bun:.*|node:(?:fs|fs\/promises|child_process|process|os|net|worker_threads|tty|readline.*))$/;

/** Files that may be longer than the rest, and why. */
const longFiles: Record<string, string> = {
  "base/error-codes.ts": "one table, one row per code",
};

const sources = await readSources("src");
const product = sources.filter(({ path }) => roomOf(path) !== "dev");

describe("the rooms of src/", () => {
  test("every file stands in a room of the layer table", () => {
    const rooms = new Set(sources.map(({ path }) => roomOf(path)));
    expect([...rooms].filter((room) => room !== "dev" && mayImport[room] === undefined)).toEqual([]);
  });

  test("imports follow the layer table", () => {
    expect(product.flatMap(wrongImports)).toEqual([]);
  });

  test("nobody imports the tools in src/dev", () => {
    expect(product.flatMap((file) => edges(file).filter(({ to }) => roomOf(to) === "dev"))).toEqual([]);
  });

  test("no files import each other in a circle", () => {
    expect(circles(product)).toEqual([]);
  });

  test("the runtime is named in host/, esm/ and main.ts alone", () => {
    const elsewhere = product.filter(({ path }) => !runtimeRooms.includes(roomOf(path)));
    expect(elsewhere.flatMap(runtimeWords)).toEqual([]);
    expect(elsewhere.flatMap(runtimeImports)).toEqual([]);
  });

  test("packages that the binary contains are dependencies, not tools", async () => {
    const { dependencies } = await Bun.file("package.json").json();
    const names = product.flatMap(({ code }) => importsOf(code).map(({ specifier }) => specifier));
    const packages = names.filter((name) => !/^(?:\.|node:|bun$|bun:)/.test(name)).map(packageName);
    expect([...new Set(packages)].filter((name) => !(name in dependencies))).toEqual([]);
  });
});

describe("the writing of src/", () => {
  test("exports are named, and no file hands on what others export", () => {
    const written = sources.filter(({ path }) => !path.endsWith(".d.ts"));
    const faults = written.flatMap(({ path, bare }) => [
      ...places(path, bare, /\bexport\s+default\b/g),
      ...places(path, bare, /\bexport\s*(?:type\s*)?(?:\*|\{[^}]*\})\s*(?:as\s+\w+\s*)?from\b/g),
    ]);
    expect(faults).toEqual([]);
  });

  test("files stay below 300 lines", () => {
    const long = sources.filter(({ path, text }) => text.split("\n").length > 300 && !(path in longFiles));
    expect(long.map(({ path, text }) => `${path}: ${text.split("\n").length}`)).toEqual([]);
  });

  test("file names are kebab-case", () => {
    const odd = sources.filter(({ path }) => !/^(?:[a-z0-9-]+\/)*[a-z0-9-]+(?:\.d)?\.ts$/.test(path));
    expect(odd.map(({ path }) => path)).toEqual([]);
  });

  test("no type is thrown away", () => {
    const anys = /\bas\s+any\b|:\s*any\b|<any>/g;
    expect(sources.flatMap(({ path, bare }) => places(path, bare, anys))).toEqual([]);
  });

  test("names say what a thing is, not that it manages or helps", () => {
    const vague = /\b\w*(?:Manager|Helper|Utils?)\b/g;
    expect(product.flatMap(({ path, bare }) => places(path, bare, vague))).toEqual([]);
  });
});

describe("the reader of these tests", () => {
  const sample = [
    'import type { A } from "./a.ts";',
    "import {",
    "  b,",
    '} from "./b.ts";',
    '// import { c } from "./c.ts";',
    'const later = () => import("./d.ts");',
    'const text = "process"; const word = `$' + "{process.pid} Bun`;",
    'import "./e.ts";',
  ].join("\n");

  test("sees static, dynamic and type imports, and no import in a comment", () => {
    const found = importsOf(sourceOf("x.ts", sample).code).toSorted((a, b) => a.line - b.line);
    expect(found).toEqual([
      { specifier: "./a.ts", line: 1, typeOnly: true, lazy: false },
      { specifier: "./b.ts", line: 2, typeOnly: false, lazy: false },
      { specifier: "./d.ts", line: 6, typeOnly: false, lazy: true },
      { specifier: "./e.ts", line: 8, typeOnly: false, lazy: false },
    ]);
  });

  test("sees the runtime in code and in a template's code, not in a text", () => {
    expect(runtimeWords(sourceOf("base/x.ts", sample))).toEqual(["base/x.ts:7: process"]);
  });

  test("sees no code in a string inside a template's code", () => {
    const nested = "const x = `a $" + '{["process", `b $' + "{c} Bun`]} Deno`; const { y } = { y: Deno };";
    expect(runtimeWords(sourceOf("base/x.ts", nested))).toEqual(["base/x.ts:1: Deno"]);
  });

  test("finds a circle of three", () => {
    const files = [
      sourceOf("base/a.ts", 'import { b } from "./b.ts";'),
      sourceOf("base/b.ts", 'import { c } from "./c.ts";'),
      sourceOf("base/c.ts", 'import { a } from "./a.ts";'),
    ];
    expect(circles(files)).toEqual(["base/a.ts -> base/b.ts -> base/c.ts -> base/a.ts"]);
  });

  test("names a wrong import with its place", () => {
    expect(wrongImports(sourceOf("base/x.ts", '\nimport { y } from "../kernel/y.ts";'))).toEqual([
      "base/x.ts:2: base may not import kernel",
    ]);
    expect(wrongImports(sourceOf("pipeline/x.ts", 'import { y } from "../host/y.ts";'))).toEqual([
      "pipeline/x.ts:1: pipeline may import only types of host",
    ]);
  });
});

interface Edge extends Omit<Import, "specifier"> {
  readonly to: string;
}

/** `pipeline` of `pipeline/load.ts`; a file at the top is its own room. */
function roomOf(path: string): string {
  return path.split("/")[0] ?? path;
}

/** Imports of other files of src/; texts that are embedded from beside src/ are no room. */
function edges({ path, code }: SourceFile): Edge[] {
  return importsOf(code)
    .filter(({ specifier }) => specifier.startsWith("."))
    .map(({ specifier, ...rest }) => ({ to: posix.join(posix.dirname(path), specifier), ...rest }))
    .filter(({ to }) => !to.startsWith("../"));
}

function wrongImports(file: SourceFile): string[] {
  const from = roomOf(file.path);
  return edges(file).flatMap(({ to, line, typeOnly }) => {
    const room = roomOf(to);
    if (room === from) return [];
    const place = `${file.path}:${line}: ${from}`;
    if (!mayImport[from]?.includes(room)) return [`${place} may not import ${room}`];
    const types = typesOnly.some(([asker, of]) => asker === from && of === room);
    return types && !typeOnly ? [`${place} may import only types of ${room}`] : [];
  });
}

/** Circles of imports that load each other; types are gone by then, and a lazy import waits until all is loaded. */
function circles(files: readonly SourceFile[]): string[] {
  const next = new Map(
    files.map((file) => [
      file.path,
      edges(file).flatMap((edge) => (edge.typeOnly || edge.lazy ? [] : [edge.to])),
    ]),
  );
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push([...trail.slice(start), path].join(" -> "));
    if (start >= 0 || done.has(path)) return;
    for (const to of next.get(path) ?? []) visit(to, [...trail, path]);
    done.add(path);
  };
  for (const path of next.keys()) visit(path, []);
  return found;
}

function runtimeWords({ path, bare }: SourceFile): string[] {
  return places(path, bare, /(?<![.\w$"'-])(?:globalThis\.)?(?:Bun|Deno|process)\b(?!\s*\??:)/g);
}

function runtimeImports({ path, code }: SourceFile): string[] {
  return importsOf(code)
    .filter(({ specifier }) => runtimeModules.test(specifier))
    .map(({ specifier, line }) => `${path}:${line}: ${specifier}`);
}

function packageName(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

function places(path: string, text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(
    (match) => `${path}:${lineAt(text, match.index)}: ${match[0].trim()}`,
  );
}
