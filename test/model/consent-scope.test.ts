import { describe, expect, test } from "bun:test";
import { type ConsentScope, coversRequest, wantedConsent } from "../../src/model/consent-scope.ts";
import type { Plugin } from "../../src/model/plugin.ts";
import { lockRow } from "../registry/support.ts";

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

describe("T34 what a person agrees to", () => {
  const component = (kind: string, alias: string, env: string | null): Plugin["auth_components"][number] => ({
    kind,
    alias,
    env,
    display_name: alias,
    setup_hint: "",
  });
  const { plugin } = lockRow("alpha");

  test("T34 every variable that carries a value of the user is in the scope", () => {
    const auth_components = [
      component("api_key", "key", "AWS_SECRET_ACCESS_KEY"),
      component("x-forge", "forge", "GITHUB_TOKEN"),
      component("google_access_token", "google", null),
      component("allowlist", "listed", null),
    ];
    const wide = wantedConsent({ ...plugin, auth_strategy: "compound", auth_components }, base.grants);
    expect(wide.credentials).toEqual(["AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "GOOGLE_ACCESS_TOKEN"]);
  });

  test("T34 a version that adds a component with a variable, or a forwarded token, is asked about again", () => {
    const before = wantedConsent(plugin, base.grants);
    const added = [component("api_key", "key", "GITHUB_TOKEN"), component("google_access_token", "g", null)];
    for (const one of added) {
      const next: Plugin = { ...plugin, auth_strategy: "compound", auth_components: [one] };
      expect(coversRequest(before, wantedConsent(next, base.grants))).toBe(false);
      expect(coversRequest(wantedConsent(next, base.grants), before)).toBe(true);
    }
  });
});
