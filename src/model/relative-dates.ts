// C2: a canary's arguments may say `+7d` instead of a date that would be stale one day.

const relative = /^([+-])(\d{1,4})([dwmy])$/;

/** The arguments with every relative date, at any depth, made an ISO date (UTC) of that moment. */
export function resolveDates(value: unknown, nowMs: number): unknown {
  if (typeof value === "string") return resolveText(value, nowMs);
  if (Array.isArray(value)) return value.map((item) => resolveDates(item, nowMs));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolveDates(item, nowMs)]));
  }
  return value;
}

function resolveText(text: string, nowMs: number): string {
  // A leading backslash keeps what would otherwise be a date.
  if (text.startsWith("\\") && isSpecial(text.slice(1))) return text.slice(1);
  if (text === "now") return new Date(nowMs).toISOString();
  if (text === "today") return isoDate(new Date(nowMs));
  const [, sign, digits, unit] = relative.exec(text) ?? [];
  if (digits === undefined || unit === undefined) return text;
  return isoDate(shift(new Date(nowMs), (sign === "-" ? -1 : 1) * Number(digits), unit));
}

function isSpecial(text: string): boolean {
  return text === "now" || text === "today" || relative.test(text) || text.startsWith("\\");
}

function shift(from: Date, count: number, unit: string): Date {
  const [year, month, day] = [from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate()];
  if (unit === "d" || unit === "w") return utc(year, month, day + count * (unit === "w" ? 7 : 1));
  const target = utc(year, month + (unit === "y" ? count * 12 : count), 1);
  const lastDay = utc(target.getUTCFullYear(), target.getUTCMonth() + 1, 0).getUTCDate();
  return utc(target.getUTCFullYear(), target.getUTCMonth(), Math.min(day, lastDay));
}

/** Like Date.UTC, but years below 100 are years below 100. */
function utc(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date;
}

function isoDate(date: Date): string {
  return date.toISOString().replace(/T.*$/, "");
}
