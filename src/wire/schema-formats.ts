// The formats that gum checks, each in time linear to the text; others are notes to the reader, as in JSON Schema 2020-12.

const patterns = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  time: /^\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/,
  uuid: /^(?:urn:uuid:)?[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i,
  email: /^[^\s@]{1,64}@[^\s@]{1,255}$/,
  ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/,
};

/** Longer text than this has none of the formats. */
const longest = 4096;

const checks = {
  date: isDate,
  time: isTime,
  "date-time": isDateTime,
  uuid: (text: string) => patterns.uuid.test(text),
  email: (text: string) => patterns.email.test(text),
  ipv4: (text: string) => patterns.ipv4.test(text),
  uri: (text: string) => /^[a-z][\w+.-]*:/i.test(text) && !/\s/.test(text) && URL.canParse(text),
} as const;

/** The checked formats by name; each says whether a text has it. */
export const formats: ReadonlyMap<string, (text: string) => boolean> = new Map(
  Object.entries(checks).map(([name, has]) => [name, (text: string) => text.length <= longest && has(text)]),
);

function isDate(text: string): boolean {
  if (!patterns.date.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  // A day that does not exist is either refused or moved into the next month.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function isTime(text: string): boolean {
  if (!patterns.time.test(text)) return false;
  const [hours, minutes, seconds] = [text.slice(0, 2), text.slice(3, 5), text.slice(6, 8)].map(Number);
  return (hours ?? 99) < 24 && (minutes ?? 99) < 60 && (seconds ?? 99) <= 60;
}

function isDateTime(text: string): boolean {
  const separator = text[10];
  return (
    (separator === "T" || separator === "t" || separator === " ") &&
    isDate(text.slice(0, 10)) &&
    isTime(text.slice(11))
  );
}
