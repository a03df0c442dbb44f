/** Whether the text is what the lines say: `…` stands for anything in a line, a lone `…` for any number of lines. */
export function matches(lines: readonly string[], actual: string): boolean {
  const pattern = lines
    .map((line) => (line === "…" ? "(?:[^\\n]*\\n)*?" : `${linePattern(line)}\\n`))
    .join("");
  const text = actual === "" || actual.endsWith("\n") ? actual : `${actual}\n`;
  return new RegExp(`^${pattern}$`).test(text);
}

function linePattern(line: string): string {
  return line
    .split("…")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"))
    .join("[^\\n]*");
}
