import { expect, test } from "bun:test";
import packageJson from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };

/** Licences that allow a compiled copy to be passed on with no duty but a notice. */
const allowed = ["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD"];

interface LockedPackage {
  readonly dev?: boolean;
  readonly license?: string;
  readonly integrity?: string;
}
const locked = Object.entries<LockedPackage>(lock.packages).filter(([path]) => path !== "");

test("every package that can reach the binary has a licence which allows that", () => {
  const refused = locked
    .filter(([, { dev, license }]) => !dev && !allowed.includes(license ?? "none"))
    .map(([path, { license }]) => `${path}: ${license ?? "none"}`);
  expect(refused).toEqual([]);
});

test("every locked package is pinned by its digest", () => {
  expect(
    locked.filter(([, { integrity }]) => !integrity?.startsWith("sha512-")).map(([path]) => path),
  ).toEqual([]);
});

test("direct dependencies are pinned to one version", () => {
  const versions = Object.entries({ ...packageJson.dependencies, ...packageJson.devDependencies });
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test("the project's own licence stands in the tree", async () => {
  expect(packageJson.license).toBe("MIT");
  expect(await Bun.file("LICENSE").text()).toContain("Permission is hereby granted, free of charge");
});
