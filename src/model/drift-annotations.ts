import { type DriftChange, type DriftClass, wordingChange } from "./drift-wording.ts";

type Change = Omit<DriftChange, "tool">;
type Annotations = Readonly<Record<string, unknown>>;

/** What MCP says a hint means when it is absent, and what it means to lose the promise. */
const promises: readonly {
  hint: string;
  absent: boolean;
  promise: boolean;
  lost: DriftClass;
  says: string;
}[] = [
  { hint: "readOnlyHint", absent: false, promise: true, lost: "hostile", says: "that it changes nothing" },
  {
    hint: "destructiveHint",
    absent: true,
    promise: false,
    lost: "hostile",
    says: "that it destroys nothing",
  },
  {
    hint: "idempotentHint",
    absent: false,
    promise: true,
    lost: "widening",
    says: "that calling it twice is calling it once",
  },
  {
    hint: "openWorldHint",
    absent: true,
    promise: false,
    lost: "widening",
    says: "that it stays in a closed world",
  },
];

/** Changed hints: a promise that is taken back matters, one that is made does not. */
export function annotationChanges(old: Annotations, now: Annotations): Change[] {
  const changes = promises.flatMap(({ hint, absent, promise, lost, says }): Change[] => {
    const [before, after] = [hintOf(old, hint, absent), hintOf(now, hint, absent)];
    if (before === after) return [];
    const path = `annotations.${hint}`;
    if (before === promise) return [{ path, class: lost, what: `no longer promises ${says}` }];
    return [{ path, class: "compatible", what: `now promises ${says}` }];
  });
  const known = new Set(promises.map(({ hint }) => hint));
  const others = [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((key) => !known.has(key))
    .sort();
  return [...changes, ...others.flatMap((key) => wordingChange(`annotations.${key}`, old[key], now[key]))];
}

function hintOf(annotations: Annotations, hint: string, absent: boolean): boolean {
  const said = annotations[hint];
  return typeof said === "boolean" ? said : absent;
}
