import { describe, expect, test } from "bun:test";
import { type ConsentScope, coversRequest } from "../../src/model/consent-scope.ts";

const base: ConsentScope = {
  network: false,
  fs_write_dir: "",
  env: ["A"],
  credentials: [],
  risk_classes: ["read"],
  grants: { read: [], write: [], shm: false, capabilities: [] },
};

describe("T34 a remembered consent", () => {
  test("T34 covers the same and less", () => {
    expect(coversRequest(base, base)).toBe(true);
    expect(coversRequest({ ...base, network: true, env: ["A", "B"] }, base)).toBe(true);
  });
  const wider: [string, Partial<ConsentScope>][] = [
    ["the network", { network: true }],
    ["another write folder", { fs_write_dir: "out" }],
    ["another variable", { env: ["A", "B"] }],
    ["a credential", { credentials: ["TOKEN"] }],
    ["another risk class", { risk_classes: ["read", "write"] }],
    ["a read grant", { grants: { ...base.grants, read: ["/srv"] } }],
    ["a write grant", { grants: { ...base.grants, write: ["/srv"] } }],
    ["shared memory", { grants: { ...base.grants, shm: true } }],
    ["a capability", { grants: { ...base.grants, capabilities: ["fs"] } }],
  ];
  test.each(wider)("T34 does not cover %s", (_, more) => {
    expect(coversRequest(base, { ...base, ...more })).toBe(false);
  });
});
