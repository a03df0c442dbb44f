import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { openFile } from "../../host/open-file.ts";
import { benchFolder, runOnce } from "./programs.ts";
import { type BenchRow, sideBySide } from "./row.ts";

/** How long it takes to hash an executable of 100 MB, as before every start. */
export const hashLarge: BenchRow = {
  id: "B6",
  what: "hashing 100 MB through the descriptor that will run",
  against: "openssl dgst -sha256",
  async measure() {
    const path = resolve(benchFolder, "hundred-megabytes");
    mkdirSync(benchFolder, { recursive: true });
    writeFileSync(path, Buffer.alloc(100 * 1024 * 1024, "gum"));
    const both = await sideBySide(
      20,
      async () => {
        const file = openFile(path, "read-no-follow");
        await file.sha256();
        await file.close();
      },
      () => runOnce(["/usr/bin/openssl", "dgst", "-sha256", path]),
    );
    return { ...both, figure: both.own.median / both.other.median, limit: 1.3, unit: "×" };
  },
};
