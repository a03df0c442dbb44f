/** Prefixes and plugin ids that third parties may not claim (T3). */
export const reservedNames = [
  "gmail",
  "drive",
  "calendar",
  "docs",
  "sheets",
  "slides",
  "tasks",
  "people",
  "contacts",
  "chat",
  "meet",
  "forms",
  "classroom",
  "youtube",
  "photos",
  "maps",
  "ads",
  "admin",
  "vault",
  "keep",
  "searchconsole",
  "analytics",
  "bigquery",
  "storage",
  "pubsub",
  "spanner",
  "firestore",
  "genai",
  "google",
  "googleapis",
  "gum",
  "plug",
  "x",
] as const;

const reserved: ReadonlySet<string> = new Set(reservedNames);

/** True for a name that belongs to Google's services or to gum itself, in any case. */
export function isReservedName(name: string): boolean {
  return reserved.has(name.toLowerCase());
}
