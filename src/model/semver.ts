// Semantic versions as npm reads them: enough to compare two versions and to hold one against a range.

export interface Semver {
  readonly numbers: readonly [number, number, number];
  /** `["beta", "1"]` of `1.0.0-beta.1`. */
  readonly pre: readonly string[];
}

/** The parts of `1.2.3-beta.1+build`, or undefined for anything else. */
export function parseSemver(text: string): Semver | undefined {
  const match = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/.exec(
    text.trim(),
  );
  if (match === null) return undefined;
  const [, major, minor, patch, pre] = match;
  return {
    numbers: [Number(major), Number(minor), Number(patch)],
    pre: pre === undefined ? [] : pre.split("."),
  };
}

/** Below 0 when a is older than b, above 0 when it is newer. */
export function compareSemver(a: Semver, b: Semver): number {
  for (const i of [0, 1, 2] as const) {
    const difference = a.numbers[i] - b.numbers[i];
    if (difference !== 0) return difference;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return b.pre.length - a.pre.length;
  for (let i = 0; i < Math.max(a.pre.length, b.pre.length); i += 1) {
    const difference = comparePart(a.pre[i], b.pre[i]);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Whether a version lies in a range such as `>=18 <23 || ^24.1.0`; undefined when the range cannot be read. */
export function satisfies(version: Semver, range: string): boolean | undefined {
  if (range.length > 256) return undefined;
  let readable = true;
  const fits = range.split("||").some((part) => {
    const bounds = boundsOf(part.trim());
    if (bounds === undefined) readable = false;
    return bounds?.every((bound) => within(version, bound)) ?? false;
  });
  return readable ? fits : undefined;
}

interface Bound {
  readonly operator: "<" | "<=" | ">" | ">=";
  readonly version: Semver;
}

function within(version: Semver, { operator, version: limit }: Bound): boolean {
  const order = compareSemver(version, limit);
  if (operator === "<") return order < 0;
  if (operator === "<=") return order <= 0;
  return operator === ">" ? order > 0 : order >= 0;
}

function boundsOf(part: string): Bound[] | undefined {
  const hyphen = /^(\S+)\s+-\s+(\S+)$/.exec(part);
  const words = hyphen
    ? [`>=${hyphen[1]}`, `<=${hyphen[2]}`]
    : part.replace(/([<>=^~]+)\s+/g, "$1").split(/\s+/);
  const bounds: Bound[] = [];
  for (const word of words) {
    const found = wordBounds(word);
    if (found === undefined) return undefined;
    bounds.push(...found);
  }
  return bounds;
}

function wordBounds(word: string): Bound[] | undefined {
  const match =
    /^(\^|~|>=|<=|>|<|=)?v?(\d{1,9}|[xX*])?(?:\.(\d{1,9}|[xX*]))?(?:\.(\d{1,9}|[xX*]))?(?:-([0-9A-Za-z.-]+))?(?:\+\S+)?$/.exec(
      word,
    );
  if (match === null) return undefined;
  const [, operator = "", ...parts] = match;
  const given = parts
    .slice(0, 3)
    .map((part) => (part === undefined || /^[xX*]$/.test(part) ? undefined : Number(part)));
  const known = given.indexOf(undefined);
  const precision = known < 0 ? 3 : known;
  const pre = precision === 3 && parts[3] !== undefined ? parts[3].split(".") : [];
  const low: Semver = { numbers: [given[0] ?? 0, given[1] ?? 0, given[2] ?? 0], pre };
  return boundsFor(operator, low, precision);
}

function boundsFor(operator: string, low: Semver, precision: number): Bound[] {
  const above: Bound = { operator: ">=", version: low };
  if (precision === 0) return [];
  const next: Semver = bump(low, precision - 1);
  switch (operator) {
    case ">=":
      return [above];
    case ">":
      return precision === 3 ? [{ operator: ">", version: low }] : [{ operator: ">=", version: next }];
    case "<":
      return [{ operator: "<", version: low }];
    case "<=":
      return precision === 3 ? [{ operator: "<=", version: low }] : [{ operator: "<", version: next }];
    case "^": {
      const significant = low.numbers.findIndex((number) => number > 0);
      return [
        above,
        { operator: "<", version: bump(low, Math.min(significant < 0 ? 2 : significant, precision - 1)) },
      ];
    }
    case "~":
      return [above, { operator: "<", version: bump(low, Math.min(1, precision - 1)) }];
    default:
      return precision === 3
        ? [above, { operator: "<=", version: low }]
        : [above, { operator: "<", version: next }];
  }
}

/** The first version after all those that share the numbers up to `index`. */
function bump({ numbers: [major, minor, patch] }: Semver, index: number): Semver {
  if (index === 0) return { numbers: [major + 1, 0, 0], pre: [] };
  return index === 1
    ? { numbers: [major, minor + 1, 0], pre: [] }
    : { numbers: [major, minor, patch + 1], pre: [] };
}

function comparePart(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  const numeric = [a, b].map((part) => /^\d+$/.test(part));
  if (numeric[0] === true && numeric[1] === true) return Number(a) - Number(b);
  if (numeric[0] !== numeric[1]) return numeric[0] === true ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
