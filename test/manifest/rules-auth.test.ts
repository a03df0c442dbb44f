import { expect, test } from "bun:test";
import { findingsOf, flat, nested, outcomeOf } from "./samples.ts";

const descriptor = {
  alias: "session",
  env: "FLIGHTS_SESSION",
  kind: "session",
  display_name: "Session",
  setup_hint: "From the account page.",
};
const component = { kind: "customer_id", alias: "customer", display_name: "Customer", setup_hint: "" };

test("M15 T13 a denied name in env_allow or needs_user_creds is refused in exactly these words", async () => {
  const denied = [
    ..."GUM_PROFILE GUM_ _GUM _GUMX GOOGLE_APPLICATION_CREDENTIALS OPENAI_API_KEY ANTHROPIC_API_KEY".split(
      " ",
    ),
    ..."LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES BUN_OPTIONS BUN_BE_BUN NODE_OPTIONS NODE_PATH".split(
      " ",
    ),
    ..."PYTHONPATH PYTHONHOME PYTHONSTARTUP PERL5LIB PERL5OPT RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS".split(" "),
    ..."BASH_ENV ENV GIT_SSH_COMMAND".split(" "),
  ];
  for (const name of denied) {
    const allowed = await outcomeOf(flat(), { "declared_capabilities/env_allow": [name] });
    expect(allowed.findings.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      `PLUGIN_ENV_PROHIBITED: env_allow entry '${name}' on plugin 'fli' is a prohibited env var name.`,
    ]);
    const needed = await outcomeOf(nested(), { "requirements/needs_user_creds": [name] });
    expect(needed.findings.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      `PLUGIN_ENV_PROHIBITED: needs_user_creds entry '${name}' on plugin 'google-flights' is a prohibited env var name.`,
    ]);
  }
  for (const name of ["gum_profile", "ld_preload", "env", "MY_GUM_X", "NODE_OPTIONS_X", "PYTHONPATHS"]) {
    expect(await findingsOf(flat(), { "declared_capabilities/env_allow": [name] })).toEqual([]);
  }
});

test("M24 every credential has exactly one descriptor", async () => {
  const check = (needs: string[], descriptors: unknown[]) =>
    findingsOf(nested(), {
      "requirements/needs_user_creds": needs,
      "requirements/credential_descriptors": descriptors,
    });
  const bad = (path: string) => [`PLUGIN_CREDENTIAL_DESCRIPTOR_INVALID requirements.${path}`];
  expect(await check(["FLIGHTS_SESSION"], [descriptor])).toEqual([]);
  expect(await check(["FLIGHTS_SESSION"], [])).toEqual(bad("needs_user_creds[0]"));
  expect(await check([], [descriptor])).toEqual(bad("credential_descriptors[0].env"));
  expect(await check(["FLIGHTS_SESSION"], [descriptor, { ...descriptor, alias: "b" }])).toEqual(
    bad("credential_descriptors[1].env"),
  );
  expect(await check(["FLIGHTS_SESSION", "B"], [descriptor, { ...descriptor, env: "B" }])).toEqual(
    bad("credential_descriptors[1].alias"),
  );
  expect(await check(["FLIGHTS_SESSION", "FLIGHTS_SESSION"], [descriptor])).toEqual(
    bad("needs_user_creds[1]"),
  );
  const faults = { alias: "A", kind: "pin", display_name: "", setup_hint: "h".repeat(161), env: undefined };
  for (const [field, value] of Object.entries(faults)) {
    const findings = await check(["FLIGHTS_SESSION"], [{ ...descriptor, [field]: value }]);
    expect(findings).toContain(
      `PLUGIN_CREDENTIAL_DESCRIPTOR_INVALID requirements.credential_descriptors[0].${field}`,
    );
  }
});

test("M24 secrets in env_allow need a descriptor too", async () => {
  const names = [
    "A_TOKEN",
    "A_SECRET",
    "PASSWORD",
    "X_API_KEY",
    "MY_COOKIE",
    "AWS_SECRET_ACCESS_KEY",
    "AZURE_CLIENT_SECRET",
  ];
  for (const name of names) {
    const changes = { "declared_capabilities/env_allow": [name] };
    expect(await findingsOf(flat(), changes)).toEqual([
      "PLUGIN_CREDENTIAL_DESCRIPTOR_INVALID declared_capabilities.env_allow[0]",
    ]);
    const described = { "requirements/credential_descriptors": [{ ...descriptor, env: name }] };
    expect(await findingsOf(flat(), { ...changes, ...described })).toEqual([]);
  }
});

test("M25 auth strategies and component kinds are known", async () => {
  const strategies = "gum_oauth byo_oauth adc service_account api_key compound plugin_managed none".split(
    " ",
  );
  for (const strategy of strategies) {
    expect(await findingsOf(nested(), { "requirements/auth_strategy": strategy })).toEqual([]);
  }
  expect(await findingsOf(nested(), { "requirements/auth_strategy": "oauth" })).toEqual([
    "PLUGIN_MANIFEST_INVALID requirements.auth_strategy",
  ]);
  const kinds =
    "developer_token oauth_client_id oauth_client_secret refresh_token api_key session customer_id login_customer_id billing_account access_level allowlist account_permission x-own";
  for (const kind of kinds.split(" ")) {
    expect(await findingsOf(nested(), { "requirements/auth_components": [{ ...component, kind }] })).toEqual(
      [],
    );
  }
  expect(
    await findingsOf(nested(), { "requirements/auth_components": [{ ...component, kind: "pin" }] }),
  ).toEqual(["AUTH_COMPONENT_UNKNOWN requirements.auth_components[0].kind"]);
  expect(
    await findingsOf(nested(), { "requirements/auth_components": [{ ...component, alias: undefined }] }),
  ).toEqual(["PLUGIN_MANIFEST_INVALID requirements.auth_components[0].alias"]);
  const google = { "requirements/auth_components": [{ ...component, kind: "google_access_token" }] };
  expect(await findingsOf(nested(), google)).toEqual([
    "PLUGIN_MANIFEST_INVALID requirements.auth_components[0].kind",
  ]);
  expect(await findingsOf(nested(), { ...google, "requirements/auth_strategy": "compound" })).toEqual([]);
});

test("C13 a compound plugin's canary uses every declared account", async () => {
  const changes = { "requirements/auth_strategy": "compound", "requirements/auth_components": [component] };
  expect(await findingsOf(nested(), changes)).toEqual([
    "PLUGIN_MANIFEST_INVALID requirements.auth_components[0]",
  ]);
  const used = { ...changes, "requirements/canary/args": { deep: [{ id: "c-{component:customer}" }] } };
  expect(await findingsOf(nested(), used)).toEqual([]);
  const lost = { "requirements/canary/args": { id: "{component:nobody}" } };
  expect(await findingsOf(nested(), lost)).toEqual(["PLUGIN_MANIFEST_INVALID requirements.canary.args"]);
});

test("C1, C14 a canary names a read tool of the plugin, and a flat manifest may have none", async () => {
  expect((await outcomeOf(flat())).plugin?.canary).toBeNull();
  const path = "PLUGIN_MANIFEST_INVALID requirements.canary.tool";
  expect(await findingsOf(flat(), { "requirements/canary": { tool: "other" } })).toEqual([path]);
  const write = { "requirements/canary": { tool: "search" }, "advertised_tools/0/risk_class": "write" };
  expect(await findingsOf(flat(), write)).toEqual([path]);
  const { plugin } = await outcomeOf(flat(), {
    "requirements/canary": { tool: "search", expect: { is_error: true } },
  });
  expect(plugin?.canary).toEqual({ tool: "search", args: {}, expect: { is_error: true }, timeout_ms: null });
});

test("M26 service_root_template is refused wherever it stands", async () => {
  for (const path of ["service_root_template", "requirements/canary/args/service_root_template"]) {
    expect(await findingsOf(nested(), { [path]: "x" })).toEqual([
      `SERVICE_ROOT_TEMPLATE_DEFERRED ${path.replaceAll("/", ".")}`,
    ]);
  }
});
