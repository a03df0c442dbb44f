import { describe, expect, test } from "bun:test";
import type { Source } from "../../src/model/install.ts";
import { checkPackage } from "../../src/steps/check-package.ts";
import { validate } from "../../src/steps/validate.ts";
import { createFakeHost } from "../fakes/fake-host.ts";
import { nested } from "../manifest/samples.ts";
import { documentOf, flags, profile, refusalOf, runStep } from "./run-step.ts";

const digest = "a".repeat(64);
const sources: Record<Source["kind"], Source> = {
  folder: { kind: "folder", path: "/p" },
  archive: { kind: "archive", path: "/x.zip" },
  url: { kind: "url", url: "https://x.example/", sha256: digest },
  git: { kind: "git", url: "https://x.example/", commit: "0".repeat(40) },
};

async function check(
  kind: Source["kind"],
  files: readonly string[],
  checksum = "",
  actual: string | null = null,
) {
  const value = nested() as { package?: object };
  const document = await documentOf({ ...value, package: { ...value.package, checksum } });
  const { plugin } = (await runStep(validate, { document, shapeAllowed: true, flags, profile })).given;
  const host = createFakeHost({
    files: Object.fromEntries(["", ...files].map((name) => [`/p/${name}`, ""])),
  });
  return runStep(
    checkPackage,
    { source: sources[kind], folder: "/p", plugin, digestChecked: actual },
    { host },
  );
}

describe("check-package", () => {
  test("M37 an archive, an address and a repository need a licence, a folder does not", async () => {
    for (const kind of ["archive", "url", "git"] as const) {
      const error = await refusalOf(() => check(kind, ["README.md"]));
      expect([error.code, error.message]).toEqual([
        "PLUGIN_MANIFEST_INVALID",
        `The ${kind} has no LICENSE file.`,
      ]);
      for (const name of ["LICENSE", "LICENSE.txt", "license.md", "LICENCE"])
        expect((await check(kind, [name])).given).toEqual({ packageChecked: true });
    }
    expect((await check("folder", ["README.md"])).given).toEqual({ packageChecked: true });
  });

  test("T33 the manifest's own checksum must be the archive's", async () => {
    for (const said of [digest, `sha256:${digest}`, digest.toUpperCase()])
      expect((await check("archive", ["LICENSE"], said, digest)).given).toEqual({ packageChecked: true });
    const error = await refusalOf(() => check("archive", ["LICENSE"], "b".repeat(64), digest));
    expect([error.code, error.message]).toEqual([
      "PLUGIN_CHECKSUM_MISMATCH",
      "The archive does not have the checksum that its manifest names.",
    ]);
    expect((await check("archive", ["LICENSE"], "", digest)).given).toEqual({ packageChecked: true });
    expect((await check("git", ["LICENSE"], "b".repeat(64), null)).given).toEqual({ packageChecked: true });
  });
});
