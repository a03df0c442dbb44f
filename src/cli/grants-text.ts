import type { GrantsAnswer } from "../kernel/answers-grants.ts";
import { cellText } from "./table.ts";

/** What a person reads after a change of grants. */
export function grantsText({ plugin, changed, granted, generation }: GrantsAnswer): string {
  const all = [
    ...granted.read.map((path) => `read ${path}`),
    ...granted.write.map((path) => `write ${path}`),
    ...(granted.shm ? ["shared memory"] : []),
    ...granted.capabilities.map((name) => `capability ${name}`),
  ];
  const now = all.length === 0 ? "nothing" : all.map(cellText).join(", ");
  const when = changed ? `Generation ${generation}.` : "Nothing changed.";
  return `Granted to ${plugin} beyond its manifest: ${now}. ${when}\n`;
}
