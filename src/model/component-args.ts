// C13: `{component:alias}` in a canary's arguments stands for what `gum plugin setup` collected.
const pattern = /\{component:([^{}]*)\}/g;

/** The aliases that the arguments name, at any depth. */
export function componentsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === "string") {
    for (const [, alias] of value.matchAll(pattern)) if (alias !== undefined) found.add(alias);
  } else if (typeof value === "object" && value !== null) {
    for (const child of Object.values(value)) componentsIn(child, found);
  }
  return found;
}

/** The arguments with every known alias replaced by its value; an unknown one stays as it is written. */
export function fillComponents<T>(value: T, values: ReadonlyMap<string, string>): T;
export function fillComponents(value: unknown, values: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") {
    return value.replace(pattern, (whole, alias: string) => values.get(alias) ?? whole);
  }
  if (Array.isArray(value)) return value.map((child: unknown) => fillComponents(child, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, fillComponents(child, values)]),
  );
}
