import { emptyProgram, runOnce } from "./programs.ts";
import { type BenchRow, sideBySide } from "./row.ts";

/** How long `gum version` takes, beside a program that does nothing. */
export const startUp: BenchRow = {
  id: "B1",
  what: "gum version",
  against: "an empty program, compiled with the same flags",
  async measure() {
    const empty = emptyProgram();
    const both = await sideBySide(
      60,
      () => runOnce(["dist/gum", "version"]),
      () => runOnce([empty]),
    );
    return { ...both, figure: both.own.median / both.other.median, limit: 2, unit: "×" };
  },
};

/** How long it takes to check a small manifest. */
export const validateSmall: BenchRow = {
  id: "M35",
  what: "gum plugin validate examples/hello",
  against: "an empty program, compiled with the same flags",
  async measure() {
    const empty = emptyProgram();
    const both = await sideBySide(
      40,
      () => runOnce(["dist/gum", "plugin", "validate", "examples/hello"]),
      () => runOnce([empty]),
    );
    return { ...both, figure: both.own.median / both.other.median, limit: 6, unit: "×" };
  },
};
