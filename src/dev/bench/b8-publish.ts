import type { Host } from "../../host/host.ts";
import { openFile } from "../../host/open-file.ts";
import { publish } from "../../registry/generations.ts";
import { profileWith, withPlugin } from "./many-plugins.ts";
import { type BenchRow, sideBySide } from "./row.ts";

/** Files that are never flushed: how long a disk takes for that is not gum's doing. */
const unflushed: Partial<Host["files"]> = {
  syncFolder: async () => undefined,
  open: async (path, how) => ({ ...openFile(path, how), sync: async () => undefined }),
};

/** How long a change of the registry takes with a thousand plugins installed. */
export const publishThousand: BenchRow = {
  id: "B8",
  what: "publishing a generation with 1,000 plugins, without fsync",
  against: "the same with 10 plugins",
  async measure() {
    const publisher = async (count: number) => {
      const { host, profile } = await profileWith(count, unflushed);
      let turn = 0;
      return async () => {
        const name = `fresh-${turn++ % 2}`;
        const change = { command: "bench" };
        await publish(host, profile, (registry) => withPlugin(registry, name), change);
      };
    };
    const both = await sideBySide(20, await publisher(1000), await publisher(10));
    return { ...both, figure: both.own.median, limit: 50, unit: "ms" };
  },
};
