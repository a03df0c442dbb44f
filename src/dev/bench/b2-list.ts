import { profileWith } from "./many-plugins.ts";
import { emptyProgram, runOnce } from "./programs.ts";
import { type BenchRow, sideBySide } from "./row.ts";

/** How long it takes to list a hundred plugins. */
export const listHundred: BenchRow = {
  id: "B2",
  what: "gum plugin list --json with 100 plugins",
  against: "an empty program, compiled with the same flags",
  async measure() {
    const empty = emptyProgram();
    const { home } = await profileWith(100);
    const both = await sideBySide(
      40,
      () => runOnce(["dist/gum", "plugin", "list", "--json"], { HOME: home }),
      () => runOnce([empty]),
    );
    return { ...both, figure: both.own.median / both.other.median, limit: 4, unit: "×" };
  },
};
