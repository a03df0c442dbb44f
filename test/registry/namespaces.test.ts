import { describe, expect, test } from "bun:test";
import { claimNames, releaseNamespace, transferNamespace } from "../../src/registry/namespaces.ts";
import { addPlugin, removePlugin } from "../../src/registry/rows.ts";
import { at, lockRow, refusal, registryOf, stateRow, variantRow } from "./support.ts";

const plugin = (id: string, prefix = id, owner = "io.example") => ({ id, prefix, namespace_owner: owner });
const strict = { isDev: false, overrideConflict: false };
const later = "2026-04-01T00:00:00.000Z";

describe("claims", () => {
  test("T1 the same owner may upgrade, another owner is refused with both named", async () => {
    const registry = registryOf("fli");
    expect(claimNames(registry, plugin("fli"), strict)).toEqual({
      names: ["fli"],
      owner: "io.example",
      overridden: [],
    });
    expect(await refusal(() => claimNames(registry, plugin("fli", "fli", "io.other"), strict))).toEqual({
      code: "PLUGIN_NAMESPACE_CONFLICT",
      message: 'The name "fli" belongs to io.example, not to io.other.',
      details: { name: "fli", owner: "io.example", claimed_by: "io.other" },
    });
  });

  test("T1 a plugin without an owner claims nothing", async () => {
    expect((await refusal(() => claimNames(registryOf(), plugin("fli", "fli", ""), strict))).code).toBe(
      "PLUGIN_NAMESPACE_CONFLICT",
    );
  });

  test("T2 passing over a conflict works on a dev profile alone, and leaves the claim as it was", async () => {
    const registry = registryOf("fli");
    const other = plugin("fli", "fli", "io.other");
    expect(
      (await refusal(() => claimNames(registry, other, { isDev: false, overrideConflict: true }))).code,
    ).toBe("POLICY_DENIED");
    const claim = claimNames(registry, other, { isDev: true, overrideConflict: true });
    expect(claim).toEqual({ names: ["fli"], owner: "io.other", overridden: ["fli"] });
    const rows = {
      lock: lockRow("fli", { namespace_owner: "io.other" }),
      variants: [variantRow("fli")],
      state: stateRow("fli"),
    };
    const after = addPlugin(registry, { ...rows, claim, consent: null }, later);
    expect(after.lock.namespaces).toEqual(registry.lock.namespaces);
  });

  for (const name of ["gmail", "googleapis", "gum", "plug", "x", "Drive"]) {
    test(`T3 the reserved name ${name} is refused as id and as prefix, dev profile or not`, async () => {
      for (const options of [strict, { isDev: true, overrideConflict: true }]) {
        for (const claimed of [plugin(name, "fli"), plugin("fli", name)]) {
          expect(await refusal(() => claimNames(registryOf(), claimed, options))).toMatchObject({
            code: "PLUGIN_NAMESPACE_CONFLICT",
            message: `The name "${name}" is reserved and cannot be claimed by io.example.`,
          });
        }
      }
    });
  }

  test("T32 install claims the op prefix and the plugin id, and either owned by another is a conflict", async () => {
    const claim = claimNames(registryOf(), plugin("google-flights", "flights"), strict);
    expect(claim.names).toEqual(["flights", "google-flights"]);
    const rows = {
      lock: lockRow("google-flights"),
      variants: [variantRow("google-flights")],
      state: stateRow("google-flights"),
    };
    const registry = addPlugin(registryOf(), { ...rows, claim, consent: null }, later);
    expect(registry.lock.namespaces.map((row) => [row.prefix, row.namespace_owner, row.claimed_at])).toEqual([
      ["flights", "io.example", later],
      ["google-flights", "io.example", later],
    ]);
    for (const other of [
      plugin("flights", "mine", "io.other"),
      plugin("mine", "google-flights", "io.other"),
    ]) {
      expect((await refusal(() => claimNames(registry, other, strict))).code).toBe(
        "PLUGIN_NAMESPACE_CONFLICT",
      );
    }
  });

  test("T32 a name that a plugin of another owner uses without a claim is a conflict too", async () => {
    const registry = registryOf("fli");
    const unclaimed = { ...registry, lock: { ...registry.lock, namespaces: [] } };
    expect(
      (await refusal(() => claimNames(unclaimed, plugin("mine", "fli", "io.other"), strict))).message,
    ).toBe('The name "fli" belongs to io.example, not to io.other.');
  });

  test("T4 removing a plugin keeps its claim", async () => {
    const registry = removePlugin(registryOf("fli"), "fli");
    expect(registry.lock.plugins).toEqual([]);
    expect((await refusal(() => claimNames(registry, plugin("fli", "fli", "io.other"), strict))).code).toBe(
      "PLUGIN_NAMESPACE_CONFLICT",
    );
  });

  test("T4 a transfer changes the owner, keeps the history and forgets the consent", async () => {
    const consent = {
      at,
      network: true,
      fs_write_dir: "",
      env: [],
      credentials: [],
      risk_classes: ["read" as const],
      grants: { read: [], write: [], shm: false, capabilities: [] },
    };
    const start = removePlugin(registryOf("fli"), "fli");
    const [row] = start.lock.namespaces;
    if (row === undefined) throw new Error("no claim");
    const claimed = { ...start, lock: { ...start.lock, namespaces: [{ ...row, consent }] } };
    const once = transferNamespace(claimed, "fli", "io.other", later);
    expect(once.lock.namespaces).toEqual([
      {
        prefix: "fli",
        namespace_owner: "io.other",
        claimed_at: at,
        transfer_history: [{ from: "io.example", to: "io.other", at: later }],
        consent: null,
      },
    ]);
    expect(claimNames(once, plugin("fli", "fli", "io.other"), strict).owner).toBe("io.other");
    expect((await refusal(() => claimNames(once, plugin("fli"), strict))).code).toBe(
      "PLUGIN_NAMESPACE_CONFLICT",
    );
    expect(transferNamespace(once, "fli", "io.other", later)).toBe(once);
  });

  test("T4 a released prefix is free for anybody, with its history kept, but not while a plugin uses it", async () => {
    const used = registryOf("fli");
    expect(await refusal(() => releaseNamespace(used, "fli", later))).toMatchObject({
      code: "POLICY_DENIED",
      message: 'The namespace "fli" is in use by the installed plugin "fli".',
    });
    const freed = releaseNamespace(removePlugin(used, "fli"), "fli", later);
    const claim = claimNames(freed, plugin("fli", "fli", "io.other"), strict);
    const rows = {
      lock: lockRow("fli", { namespace_owner: "io.other" }),
      variants: [variantRow("fli")],
      state: stateRow("fli"),
    };
    const taken = addPlugin(freed, { ...rows, claim, consent: null }, later);
    expect(taken.lock.namespaces).toEqual([
      {
        prefix: "fli",
        namespace_owner: "io.other",
        claimed_at: later,
        transfer_history: [{ from: "io.example", to: null, at: later }],
        consent: null,
      },
    ]);
  });

  test("T4 a prefix that nobody claimed cannot be transferred, and an owner must look like one", async () => {
    expect(
      (await refusal(() => transferNamespace(registryOf("flights"), "flight", "io.other", later))).message,
    ).toBe('No namespace "flight" is claimed in this profile: did you mean "flights"?');
    expect((await refusal(() => transferNamespace(registryOf("fli"), "fli", "a b\n", later))).code).toBe(
      "USAGE",
    );
  });
});
