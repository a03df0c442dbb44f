// What must never be committed: a registry's host in the lock, a path of somebody's machine, marks of unfinished work,
// switched-off tests. The patterns are written so that this file does not match itself.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** A pattern that no committed line may match, and where it is looked for. */
interface Ban {
  readonly what: string;
  readonly pattern: RegExp;
  readonly where: RegExp;
}

const bans: readonly Ban[] = [
  {
    what: "a lock file names a download host",
    pattern: /"resolved": *"http|https?:\/\/[^" )]*\.(?:tgz|whl)/,
    where: /lock/,
  },
  {
    what: "a path of a machine",
    pattern: /(?:^|[^A-Za-z0-9_.-])\/(?:work|farm|root)\//,
    where: /^/,
  },
  {
    what: "a mark of unfinished work",
    pattern: /\b(?:T[O]DO|FIX[M]E|X[X]X|HA[C]K)\b/,
    where: /^(?:src|test|test-slow|pipelines|docs|examples)\//,
  },
  {
    what: "a test that is skipped without a condition, focused or empty",
    pattern: /\b(?:test|it|describe)\.(?:skip|only|todo)\b|\bexpect\((?:true)\)/,
    where: /^test(?:-slow)?\//,
  },
  {
    what: "a check that is switched off",
    pattern: /ts-(?:ignore|expect-error|nocheck)|(?:biome|deno-lint|eslint)-(?:ignore|disable)/,
    where: /^(?:src|test|test-slow)\/.*\.ts$/,
  },
];

/** Every banned line of one file as `path:line: what`. */
export function findBanned(path: string, text: string): string[] {
  const active = bans.filter(({ where }) => where.test(path));
  return text
    .split("\n")
    .flatMap((line, index) =>
      active.filter(({ pattern }) => pattern.test(line)).map(({ what }) => `${path}:${index + 1}: ${what}`),
    );
}

if (import.meta.main) {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
  });
  const found = listed.split("\0").filter(Boolean).flatMap(inspect);
  for (const line of found) console.error(line);
  if (found.length > 0) process.exit(1);
}

/** Nothing for what is no text, or no longer there. */
function inspect(path: string): string[] {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "EISDIR"))
      return [];
    throw error;
  }
  return bytes.includes(0) ? [] : findBanned(path, bytes.toString("utf8"));
}
