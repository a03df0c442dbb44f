import { stripUnsafe } from "../model/safe-text.ts";
import type { Style } from "./context.ts";

/** Rows for a person in columns under a header, for a program with tabs and no header. */
export function renderTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  style: Style,
): string {
  const cells = rows.map((row) => row.map(cellText));
  if (!style.interactive) return cells.map((row) => `${row.join("\t")}\n`).join("");
  const all = [header, ...cells];
  const widths = header.map((_, index) => Math.max(...all.map((row) => displayWidth(row[index] ?? ""))));
  shrink(widths, style.columns);
  return all
    .map(
      (row) =>
        `${row
          .map((cell, index) => fit(cell, widths[index] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

/** One line of text from anywhere, safe to show. */
export function cellText(text: string): string {
  return stripUnsafe(text).replace(/\s+/g, " ").trim();
}

const minimum = 8;

/** Takes from the widest column until the row fits the terminal, as long as one can give. */
function shrink(widths: number[], columns: number): void {
  const total = (): number => widths.reduce((sum, width) => sum + width, 0) + 2 * (widths.length - 1);
  while (total() > columns) {
    const widest = Math.max(...widths);
    if (widest <= minimum) return;
    widths[widths.indexOf(widest)] = widest - 1;
  }
}

function fit(cell: string, width: number): string {
  const own = displayWidth(cell);
  if (own <= width) return cell + " ".repeat(width - own);
  let shown = "";
  for (const { segment } of graphemes.segment(cell)) {
    if (displayWidth(shown + segment) > width - 1) break;
    shown += segment;
  }
  return `${shown}…${" ".repeat(width - 1 - displayWidth(shown))}`;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/** How many columns of a terminal a text takes. */
export function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += wide.test(segment) ? 2 : 1;
  return width;
}
