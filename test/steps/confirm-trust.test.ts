import { describe, expect, test } from "bun:test";
import type { ConsentSummary } from "../../src/model/consent.ts";
import type { Plugin } from "../../src/model/plugin.ts";
import { confirmTrust } from "../../src/steps/confirm-trust.ts";
import { lockRow } from "../registry/support.ts";
import { flags, profile, runStep } from "./run-step.ts";

async function summaryOf(plugin: Plugin): Promise<ConsentSummary | undefined> {
  let seen: ConsentSummary | undefined;
  await runStep(confirmTrust, {
    plugin,
    source: { kind: "folder", path: "/src/alpha" },
    flags: { ...flags, yes: false },
    profile,
    claim: { names: [plugin.prefix], owner: plugin.namespace_owner, overridden: [] },
    askConsent: async (summary) => {
      seen = summary;
      return true;
    },
    packageChecked: true,
    safeText: true,
    cleanEnv: [],
    executableFound: "file",
    signature: { verified: false, keyId: null },
  });
  return seen;
}

describe("confirm-trust", () => {
  test("T34 the summary names every variable and every forwarded token that reaches the plugin", async () => {
    const { plugin } = lockRow("alpha");
    const summary = await summaryOf({
      ...plugin,
      env_allow: ["LANG"],
      auth_strategy: "compound",
      auth_components: [
        {
          kind: "api_key",
          alias: "key",
          display_name: "Cloud key",
          setup_hint: "",
          env: "AWS_SECRET_ACCESS_KEY",
        },
        { kind: "google_access_token", alias: "google", display_name: "Google", setup_hint: "", env: null },
      ],
    });
    expect(summary?.env).toEqual(["LANG", "AWS_SECRET_ACCESS_KEY", "GOOGLE_ACCESS_TOKEN"]);
    expect(summary?.credentials).toEqual(["Cloud key", "Google (your Google access token, forwarded)"]);
  });
});
