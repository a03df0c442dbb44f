import type { Progress } from "../model/session.ts";
import type { Host } from "./context.ts";
import { cellText } from "./table.ts";

export interface ProgressBar {
  /** Draws what the plugin said in place of what it said before. */
  show(progress: Progress): void;
  /** Takes the bar away, so that what is printed next stands alone. */
  clear(): void;
}

const barWidth = 20;
const clearLine = "\r\u001b[K";
/** No terminal shows more often than a person can read. */
const pauseMs = 50;

/** A progress bar on stderr, for a person who reads it. */
export function createProgressBar({ terminal, clock }: Pick<Host, "terminal" | "clock">): ProgressBar {
  let drawnAt: number | undefined;
  return {
    show(progress) {
      const now = clock.monotonic();
      if (drawnAt !== undefined && now - drawnAt < pauseMs && !isEnd(progress)) return;
      drawnAt = now;
      terminal.err(`${clearLine}${progressLine(progress)}`);
    },
    clear() {
      if (drawnAt !== undefined) terminal.err(clearLine);
      drawnAt = undefined;
    },
  };
}

/** One line: a bar with a share of the total when there is one, and the plugin's own words. */
export function progressLine({ progress, total, message }: Progress): string {
  const words = message === undefined ? "" : ` ${cellText(message).slice(0, 50)}`;
  if (total === undefined || !(total > 0)) return `${shortNumber(progress)}${words}`;
  const share = Math.min(1, Math.max(0, progress / total));
  const full = Math.round(share * barWidth);
  return `[${"#".repeat(full)}${"-".repeat(barWidth - full)}] ${Math.round(share * 100)}%${words}`;
}

function isEnd({ progress, total }: Progress): boolean {
  return total !== undefined && progress >= total;
}

function shortNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}
