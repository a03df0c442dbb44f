import { describe, expect, test } from "bun:test";
import type { Registry } from "../../src/model/registry.ts";
import { publish } from "../../src/registry/generations.ts";
import { withState } from "../../src/registry/rows.ts";
import { type Connected, connected, reopened } from "./connected.ts";

async function faultOf(work: Promise<unknown>): Promise<{ code: number; error_code: string }> {
  const fault = await work.then(
    () => {
      throw new Error("it was read");
    },
    (error: { code: number; data?: { error_code?: string } }) => error,
  );
  return { code: fault.code, error_code: String(fault.data?.error_code) };
}

function change(at: Connected, name: string, row: Record<string, unknown>) {
  const { host, profile } = at.kernel;
  return publish(host, profile, (registry) => withState(registry, name, (old) => ({ ...old, ...row })), {
    command: "test",
  });
}

const ended = {
  quarantined: true,
  quarantined_at: "2026-01-01T00:00:00.000Z",
  permanent_quarantine: true,
  reason: "it misbehaved",
  last_error_code: "CANARY_FAILED",
};

describe("resources", () => {
  test("S2 gum's own resources and templates are listed", async () => {
    await using at = await connected();
    const { resources } = await at.client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      "gum://plugins",
      "gum://status/canaries",
      "gum://status/health",
      "gum://status/load",
    ]);
    const { resourceTemplates } = await at.client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "gum://plugin/{name}",
      "gum://plugin/{name}/resource/{+uri}",
      "gum://op/{id}",
      "gum://variant/{id}",
      "gum://schema/{ref}",
      "gum://results/{hash}",
      "gum://pipelines/{name}",
      "gum://help/{topic}",
    ]);
  });

  test("S2 resources and prompts of a plugin are listed under gum's names, read and filled in", async () => {
    await using at = await connected({ plugins: ["resources"] });
    const { resources } = await at.client.listResources();
    expect(resources.slice(4)).toEqual([
      { uri: "gum://plugin/resources/resource/note://one", name: "resources: one" },
      { uri: "gum://plugin/resources/resource/note://two", name: "resources: two" },
    ]);
    const uri = "gum://plugin/resources/resource/note://one";
    expect((await at.client.readResource({ uri })).contents).toEqual([
      { uri, mimeType: "text/plain", text: "first note" },
    ]);
    expect(await faultOf(at.client.readResource({ uri: `${uri}more` }))).toEqual({
      code: -32002,
      error_code: "RESOURCE_NOT_FOUND",
    });
    expect((await at.client.listPrompts()).prompts).toEqual([{ name: "plug.resources.greet" }]);
    const { messages } = await at.client.getPrompt({
      name: "plug.resources.greet",
      arguments: { name: "Ada" },
    });
    expect(messages).toEqual([{ role: "user", content: { type: "text", text: "Greet Ada" } }]);
    expect((await faultOf(at.client.getPrompt({ name: "plug.nobody.greet" }))).code).toBe(-32602);
  });

  test("S2 what a plugin offers is asked for once, and not again after a restart", async () => {
    await using at = await connected({ plugins: ["resources"] });
    await at.client.listPrompts();
    expect(at.hub.server.counts().sessions).toBe(1);
    await using next = await reopened(at);
    expect((await next.client.listPrompts()).prompts).toEqual([{ name: "plug.resources.greet" }]);
    expect(next.hub.server.counts().sessions).toBe(0);
  });

  test("S3 a JSON resource is one canonical text at the address that was asked for", async () => {
    await using at = await connected();
    for (const uri of ["gum://plugins", "gum://plugin/hello", "gum://op/hello.hello", "gum://status/load"]) {
      const { contents } = await at.client.readResource({ uri });
      expect(contents).toHaveLength(1);
      const [only] = contents;
      const text = only !== undefined && "text" in only ? only.text : "";
      expect([only?.uri, only?.mimeType]).toEqual([uri, "application/json"]);
      const keys = Object.keys(JSON.parse(text));
      expect(keys).toEqual(keys.toSorted());
      expect(text).toBe(JSON.stringify(JSON.parse(text)));
    }
    const schema = await at.client.readResource({ uri: "gum://schema/hello.hello.request" });
    expect(schema.contents).toEqual([
      {
        uri: "gum://schema/hello.hello.request",
        mimeType: "application/schema+json",
        text: '{"additionalProperties":false,"properties":{"name":{"description":"Whom to greet","type":"string"}},"required":["name"],"type":"object"}',
      },
    ]);
    const [pipeline] = (await at.client.readResource({ uri: "gum://pipelines/dispatch" })).contents;
    expect(pipeline?.mimeType).toBe("application/yaml");
    const [help] = (await at.client.readResource({ uri: "gum://help/errors" })).contents;
    expect(help !== undefined && "text" in help && help.text.startsWith("# Errors")).toBe(true);
  });

  test("S3 what is unknown or invalid is RESOURCE_NOT_FOUND as an error of the protocol", async () => {
    await using at = await connected();
    const uris = [
      "gum://nothing",
      "gum://plugin/nobody",
      "gum://plugin/",
      "gum://op/no.such",
      "gum://variant/none",
      "gum://schema/none",
      "gum://schema/..%2F..%2Fplugins.lock",
      "gum://schema/%zz",
      "gum://results/abc",
      `gum://results/${"0".repeat(64)}`,
      "gum://pipelines/none",
      "gum://help/none",
      "gum://plugin/nobody/resource/x://y",
      "file:///etc/passwd",
      "",
    ];
    for (const uri of uris) {
      const fault = await faultOf(at.client.readResource({ uri }));
      const code = uri.includes("/resource/") ? "PLUGIN_NOT_FOUND" : "RESOURCE_NOT_FOUND";
      expect([uri, fault]).toEqual([uri, { code: -32002, error_code: code }]);
    }
  });

  test("S3 an inactive operation is told by its status alone, a quarantined one by VARIANT_QUARANTINED, and their schemas are gone", async () => {
    await using at = await connected();
    await change(at, "hello", { needs_configuration: true });
    expect(await at.read("gum://op/hello.hello")).toEqual({
      op_id: "hello.hello",
      variant_id: "hello.hello.mcp-plugin.v1",
      plugin: "hello",
      status: "needs_configuration",
    });
    expect(
      (await faultOf(at.client.readResource({ uri: "gum://schema/hello.hello.request" }))).error_code,
    ).toBe("RESOURCE_NOT_FOUND");
    await change(at, "hello", ended);
    for (const uri of ["gum://op/hello.hello", "gum://variant/hello.hello.mcp-plugin.v1"]) {
      expect((await faultOf(at.client.readResource({ uri }))).error_code).toBe("VARIANT_QUARANTINED");
    }
    expect(
      (await faultOf(at.client.readResource({ uri: "gum://schema/hello.hello.request" }))).error_code,
    ).toBe("RESOURCE_NOT_FOUND");
  });

  test("S4 a plugin's record joins catalog, state and lock, and names no environment variable", async () => {
    await using at = await connected();
    const { host, profile } = at.kernel;
    const secret = {
      env: { HELLO_MODE: "x" },
      env_allow: ["HELLO_USER_AGENT"],
      needs_user_creds: ["HELLO_API_KEY"],
      credential_descriptors: [
        {
          env: "HELLO_API_KEY",
          alias: "key",
          kind: "api_key" as const,
          display_name: "Key",
          setup_hint: "Make one",
        },
      ],
    };
    const configured = (registry: Registry): Registry => ({
      ...withState(registry, "hello", (row) => ({ ...row, needs_configuration: true })),
      lock: {
        ...registry.lock,
        plugins: registry.lock.plugins.map((row) => ({ ...row, plugin: { ...row.plugin, ...secret } })),
      },
    });
    await publish(host, profile, configured, { command: "test" });
    const { contents } = await at.client.readResource({ uri: "gum://plugin/hello" });
    const text = contents[0] !== undefined && "text" in contents[0] ? contents[0].text : "";
    expect(text).not.toMatch(/HELLO_/);
    expect(JSON.parse(text)).toMatchObject({
      name: "hello",
      version: "0.1.0",
      status: "needs_configuration",
      catalog: [{ op_id: "hello.hello" }],
      state: { name: "hello" },
      lock: { name: "hello", sandbox: { network: false } },
      credentials: [{ alias: "key", kind: "api_key", display_name: "Key", setup_hint: "Make one" }],
      setup_command: "gum plugin setup hello",
    });
  });

  test("S5 operations, variants, plugins, schemas, topics, pipelines, prompts and formats are completed", async () => {
    await using at = await connected({ plugins: ["hello", "resources"] });
    const complete = async (uri: string, name: string, value: string) =>
      (await at.client.complete({ ref: { type: "ref/resource", uri }, argument: { name, value } })).completion
        .values;
    expect(await complete("gum://op/{id}", "id", "hel")).toEqual(["hello.hello", "resources.hello"]);
    expect(await complete("gum://variant/{id}", "id", "hello.h")).toEqual(["hello.hello.mcp-plugin.v1"]);
    expect(await complete("gum://plugin/{name}", "name", "")).toEqual(["hello", "resources"]);
    expect(await complete("gum://schema/{ref}", "ref", "hello.hello")).toEqual(["hello.hello.request"]);
    expect(await complete("gum://help/{topic}", "topic", "exit")).toEqual(["exit-codes"]);
    expect(await complete("gum://pipelines/{name}", "name", "disp")).toEqual(["dispatch"]);
    expect(await complete("gum://op/{id}", "format", "")).toEqual(["json"]);
    expect(await complete("gum://plugin/{name}", "prompt", "plug.")).toEqual(["plug.resources.greet"]);
    expect(await complete("gum://results/{hash}", "hash", "")).toEqual([]);
    await change(at, "hello", ended);
    expect(await complete("gum://op/{id}", "id", "hello")).toEqual(["resources.hello"]);
    expect(await complete("gum://plugin/{name}", "name", "")).toEqual(["resources"]);
  });

  test("S5 with 100 plugins of ten operations each, 95 of 100 completions take less than 100 ms", async () => {
    await using at = await connected();
    const { host, profile } = at.kernel;
    await publish(host, profile, (registry) => cloned(registry, 100, 10), { command: "test" });
    await using next = await reopened(at);
    const times: number[] = [];
    for (let asked = 0; asked < 100; asked++) {
      const start = performance.now();
      const { completion } = await next.client.complete({
        ref: { type: "ref/resource", uri: "gum://op/{id}" },
        argument: { name: "id", value: `p${asked}.` },
      });
      times.push(performance.now() - start);
      expect(completion.values).toHaveLength(10);
    }
    expect(times.toSorted((a, b) => a - b)[94]).toBeLessThan(100);
  });
});

/** The registry with copies of its one plugin, which have several operations each. */
function cloned(registry: Registry, plugins: number, operations: number): Registry {
  const [lock] = registry.lock.plugins;
  const [state] = registry.state.plugins;
  const [variant] = registry.catalog.variants;
  if (lock === undefined || state === undefined || variant === undefined)
    throw new Error("nothing is installed");
  const names = Array.from({ length: plugins }, (_, at) => `p${at}`);
  const variants = names.flatMap((name) =>
    Array.from({ length: operations }, (_, at) => ({
      ...variant,
      op_id: `${name}.op${at}`,
      variant_id: `${name}.op${at}.v1`,
      owner_plugin: name,
      binding: { ...variant.binding, plugin_name: name, tool_name: `op${at}` },
    })),
  );
  return {
    lock: { ...registry.lock, plugins: names.map((name) => ({ ...lock, name, prefix: name })) },
    state: { ...registry.state, plugins: names.map((name) => ({ ...state, name })) },
    catalog: { ...registry.catalog, variants },
  };
}
