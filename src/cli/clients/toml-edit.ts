/** The text with the table `[section.name]`; everything else, comments included, stays as it is. */
export function setInToml(
  text: string,
  section: string,
  name: string,
  entry: Readonly<Record<string, unknown>>,
): string {
  const table = [
    `[${section}.${name}]`,
    ...Object.entries(entry).map(([key, value]) => `${key} = ${printed(value)}`),
  ];
  const lines = text.split("\n");
  const start = lines.findIndex((line) => isHeader(line, section, name));
  if (start < 0) {
    const head = text.trim() === "" ? "" : `${text.trimEnd()}\n\n`;
    return `${head}${table.join("\n")}\n`;
  }
  // Only what gum itself writes is replaced: other keys of the table, such as a timeout, are the user's.
  const end = lines.findIndex((line, at) => at > start && /^\s*\[/.test(line));
  const body = lines.slice(start + 1, end < 0 ? lines.length : end);
  const kept = body.filter(
    (line) => !Object.keys(entry).some((key) => new RegExp(`^\\s*${key}\\s*=`).test(line)),
  );
  return [
    ...lines.slice(0, start + 1),
    ...table.slice(1),
    ...kept,
    ...(end < 0 ? [] : lines.slice(end)),
  ].join("\n");
}

function isHeader(line: string, section: string, name: string): boolean {
  const [, inner] = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line) ?? [];
  const parts = inner?.split(".").map((part) => part.trim().replace(/^(["'])(.*)\1$/, "$2"));
  return parts?.length === 2 && parts[0] === section && parts[1] === name;
}

/** TOML's basic strings are JSON's. */
function printed(value: unknown): string {
  return Array.isArray(value)
    ? `[${value.map((one) => JSON.stringify(one)).join(", ")}]`
    : JSON.stringify(value);
}
