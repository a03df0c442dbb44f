import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { createHost } from "../../host/real.ts";
import { checkSeal, writeSeal } from "../../registry/seal.ts";
import { hashTree } from "../../registry/tree.ts";
import { benchFolder } from "./programs.ts";
import { type BenchRow, sideBySide } from "./row.ts";

/** How long the check of an installed tree takes, when nothing changed, beside hashing all of it. */
export const sealOfPackages: BenchRow = {
  id: "B7",
  what: "seal check of this project's own npm packages",
  against: "hashing every file of them",
  measure: () => measureTree(resolve("node_modules")),
};

async function measureTree(source: string) {
  const root = resolve(benchFolder, "tree");
  rmSync(root, { recursive: true, force: true });
  mkdirSync(benchFolder, { recursive: true });
  cpSync(source, root, {
    recursive: true,
    filter: (path) => !path.includes("/bun/") && !path.includes("/@oven/"),
  });
  if (!existsSync(root)) throw new Error("Cannot measure: the tree was not copied");
  const host = createHost();
  const sealFile = `${root}.seal`;
  const tree = await hashTree(host, root);
  await writeSeal(host, sealFile, tree);
  // A file that changed within two seconds of its sealing is hashed again; that is not what is measured here.
  await host.clock.sleep(2_100);
  await writeSeal(host, sealFile, await hashTree(host, root));
  const sealed = { plugin: "bench", root, sealFile, treeSha256: tree.sha256 };
  const both = await sideBySide(
    20,
    async () => {
      const { hashed } = await checkSeal(host, sealed);
      if (hashed > 0) throw new Error(`Cannot measure: ${hashed} files were hashed`);
    },
    async () => void (await hashTree(host, root)),
  );
  return { ...both, figure: both.own.median / both.other.median, limit: 0.4, unit: "×" };
}
