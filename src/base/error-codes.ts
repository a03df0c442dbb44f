// The one table of error codes. Codes are append-only: scripts and agents match on them.
// The docs page and `gum help errors` are generated from it.

/** Exit codes of the command line, by what went wrong. */
export const exitCodes = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  refused: 3,
  trust: 4,
  plugin: 5,
  quarantined: 6,
  configuration: 7,
  rate: 8,
  confirmation: 9,
  notFound: 10,
  registry: 11,
  hungUp: 129,
  interrupted: 130,
  quit: 131,
  terminated: 143,
} as const;

export type ExitClass = keyof typeof exitCodes;

export interface CodeFacts {
  readonly exit: ExitClass;
  /** What the code means, as one sentence. */
  readonly title: string;
  /** What to do next when the error itself does not say. */
  readonly hint: string;
}

const code = (exit: ExitClass, title: string, hint: string): CodeFacts => ({ exit, title, hint });

export const errorCodes = {
  // manifest and package
  PLUGIN_MANIFEST_NOT_FOUND: code(
    "refused",
    "The folder holds no manifest.",
    "add a manifest.json, manifest.toml or mcp-plugin.json at the top of the folder",
  ),
  PLUGIN_MANIFEST_INVALID: code(
    "refused",
    "The manifest breaks a rule.",
    "correct the field that is named; `gum plugin validate` lists every finding",
  ),
  PLUGIN_MANIFEST_SCHEMA_UNSUPPORTED: code(
    "refused",
    "The manifest has no schema version that gum knows.",
    "put manifest_schema_version = 1 at the top level of the manifest",
  ),
  PLUGIN_SHAPE_UNSUPPORTED: code(
    "refused",
    "The plugin's shape is not supported for third parties.",
    "use one of the shapes mcp-plugin, jsonl-plugin, handshake-plugin or esm-plugin",
  ),
  PLUGIN_BINDING_INVALID: code(
    "refused",
    "A tool does not say how it is reached.",
    "give each tool the selector that its backend_kind needs, such as tool_name",
  ),
  UNKNOWN_BACKEND_KIND: code(
    "refused",
    "A tool names a backend_kind that does not exist.",
    "use the backend_kind that equals the plugin's shape",
  ),
  UNKNOWN_INTERFACE_KIND: code(
    "refused",
    "A tool names an interface_kind that does not exist.",
    "use the interface_kind that belongs to the backend_kind",
  ),
  UNKNOWN_CAPABILITY: code(
    "refused",
    "A tool names a capability atom that does not exist.",
    "use idempotent, paginated, streaming or long_running",
  ),
  PLUGIN_SCHEMA_REF_INVALID: code(
    "refused",
    "A schema_ref does not lead to a usable schema bundle.",
    "ship schemas/<schema_ref>.json with $defs.request and $defs.response",
  ),
  SCHEMA_REF_COLLISION: code(
    "refused",
    "Another plugin of the profile uses the same schema_ref for another schema.",
    "rename the schema_ref",
  ),
  PLUGIN_CREDENTIAL_DESCRIPTOR_INVALID: code(
    "refused",
    "Credential names and descriptors do not match.",
    "declare exactly one credential descriptor for each needed variable",
  ),
  AUTH_COMPONENT_UNKNOWN: code(
    "refused",
    "An auth component has an unknown kind.",
    "use a kind from `gum help auth`, or prefix it with x-",
  ),
  SERVICE_ROOT_TEMPLATE_DEFERRED: code(
    "refused",
    "service_root_template is reserved for a later version.",
    "remove service_root_template",
  ),
  PROFILE_REQUIRED: code(
    "refused",
    "A tool has no output profile.",
    "add output_profile, or raw_result_allowed = true with token_budget_exception",
  ),
  PROFILE_INVALID: code("refused", "An output profile breaks a rule.", "correct the field that is named"),
  PROFILE_STRIP_NULLS_UNSAFE: code(
    "refused",
    "strip_nulls reaches fields that are not declared safe.",
    "list them in null_elision_safe_fields, or drop strip_nulls",
  ),
  PROFILE_TEE_MODE_CONFLICT: code(
    "refused",
    "recovery and tee_mode do not fit together.",
    'set tee_mode = "always" with recovery = "resource_link"',
  ),
  ON_EMPTY_TOO_LONG: code("refused", "on_empty is longer than 500 characters.", "shorten on_empty"),
  OVERRIDE_BINDING_INVALID: code(
    "refused",
    "An override names nothing that exists.",
    "correct the name on the left of the override",
  ),
  PLUGIN_TEXT_UNSAFE: code(
    "refused",
    "A name or description holds control or invisible characters.",
    "remove the characters that are named",
  ),
  PLUGIN_BUILD_FAILED: code(
    "refused",
    "The plugin's environment could not be built.",
    "read the build's last lines above and correct the project",
  ),
  PLUGIN_FETCH_FAILED: code(
    "refused",
    "The plugin's source could not be read.",
    "check the path or address and try again",
  ),

  // trust
  PLUGIN_NAMESPACE_CONFLICT: code(
    "trust",
    "The plugin's names belong to somebody else, or to nobody.",
    "set namespace_owner, or choose another plugin id",
  ),
  PLUGIN_ENV_PROHIBITED: code(
    "trust",
    "The manifest asks for an environment variable that no plugin may have.",
    "remove the name; see `gum help env`",
  ),
  PLUGIN_EXECUTABLE_UNTRUSTED: code(
    "trust",
    "The executable is not the one that was installed, or may never be one.",
    "install the plugin again from a source you trust",
  ),
  PLUGIN_TREE_MODIFIED: code(
    "trust",
    "A file of the installed plugin was changed.",
    "install the plugin again from a source you trust",
  ),
  PLUGIN_INTEGRITY_MISMATCH: code(
    "trust",
    "The files do not have the digest that the manifest declares.",
    "fetch the plugin again, or ask its author for a correct package",
  ),
  PLUGIN_CHECKSUM_MISMATCH: code(
    "trust",
    "The archive does not have the expected SHA-256.",
    "fetch the archive again and compare the digest with its publisher's",
  ),
  PLUGIN_ARCHIVE_UNSAFE: code(
    "trust",
    "The source holds entries that gum will not unpack or copy.",
    "remove the entry that is named",
  ),
  PLUGIN_SIGNATURE_REQUIRED: code(
    "trust",
    "This profile installs only signed plugins.",
    "ask the author for a signed package, or trust the key with `gum key trust`",
  ),
  PLUGIN_SIGNATURE_INVALID: code(
    "trust",
    "The signature does not fit the package or its key is not trusted.",
    "check the key with `gum key list`",
  ),
  PLUGIN_SANDBOX_UNSUPPORTED: code(
    "trust",
    "This machine cannot confine the plugin, so it is not started.",
    "run `gum doctor` to see which layer is missing",
  ),
  PLUGIN_FS_WRITE_OUTSIDE_SANDBOX: code(
    "trust",
    "fs_write_dir leaves the plugin's data folder.",
    "use a relative path without .., or an empty string",
  ),
  PLUGIN_TOOLS_MISMATCH: code(
    "trust",
    "The running plugin offers other tools than its manifest.",
    "make advertised_tools equal to what tools/list answers",
  ),
  PLUGIN_TOOLS_DRIFT: code(
    "trust",
    "The running plugin's tools differ from those pinned at install.",
    "see `gum plugin diff <id>`, then install again if you trust the change",
  ),
  TRUST_NOT_CONFIRMED: code(
    "trust",
    "Nobody said yes to installing this plugin.",
    "run it on a terminal to read what it may do and to agree, or add --yes",
  ),
  POLICY_DENIED: code(
    "trust",
    "The profile's policy does not allow this.",
    "use a dev profile, or leave the option out",
  ),

  // runtime
  SERVICE_DOWN: code("plugin", "The plugin failed.", "see the cause and the plugin's last lines in details"),
  RATE_LIMITED: code("rate", "Too many calls in too short a time.", "try again after retry_after_ms"),
  AUTH_REQUIRED: code("configuration", "The plugin needs credentials.", "run `gum plugin setup <id>`"),
  INVALID_ARGS: code("usage", "The arguments do not fit the tool's schema.", "see `gum describe <op>`"),
  RESULT_INVALID: code(
    "plugin",
    "The result does not fit the tool's response schema.",
    "report it to the plugin's author",
  ),
  OP_NOT_FOUND: code("notFound", "No such operation.", "see `gum search`"),
  VARIANT_NOT_FOUND: code("notFound", "No such variant.", "see `gum describe <op>`"),
  AMBIGUOUS_VARIANT: code(
    "usage",
    "Several variants fit and none is the default.",
    "choose one with --variant-id",
  ),
  VARIANT_QUARANTINED: code(
    "quarantined",
    "The operation's plugin is quarantined.",
    "see `gum plugin info <id>`, then `gum plugin reload <id>`",
  ),
  PLUGIN_QUARANTINED: code(
    "quarantined",
    "The plugin is quarantined.",
    "see `gum plugin info <id>`, then `gum plugin reload <id>`",
  ),
  UNSUPPORTED_CAPABILITY: code(
    "configuration",
    "The plugin is not active in this process.",
    "restart the server, or run the command again",
  ),
  RISK_TOOL_MISMATCH: code(
    "usage",
    "The stated risk is not the operation's.",
    "call it with the risk that `gum describe` shows",
  ),
  REQUIRES_CONFIRMATION: code(
    "confirmation",
    "The operation needs a confirmation.",
    "call again with the token",
  ),
  CONFIRMATION_TOKEN_INVALID: code(
    "confirmation",
    "The confirmation token does not fit this call.",
    "call once without a token to get a new one",
  ),
  CANARY_FAILED: code(
    "plugin",
    "The plugin's trial call failed.",
    "see the cause in details, then `gum plugin reload <id>`",
  ),
  PLUGIN_NOT_FOUND: code("notFound", "No such plugin in this profile.", "see `gum plugin list`"),
  PLUGIN_ENTRY_INVALID: code(
    "refused",
    "The plugin's entry module cannot be used.",
    "export createPlugin(server) from the entry",
  ),
  PLUGIN_CAPABILITY_MISMATCH: code(
    "refused",
    "Declared and registered capabilities differ.",
    "make the manifest's capabilities equal to what is registered",
  ),
  PLUGIN_TOOL_INVALID: code(
    "refused",
    "A tool has an invalid name or schema.",
    "correct the tool that is named",
  ),
  PLUGIN_DEPENDENCY_CYCLE: code(
    "refused",
    "Plugins depend on each other in a circle.",
    "break the circle that is shown",
  ),
  PLUGIN_DEPENDENCY_MISSING: code(
    "refused",
    "A plugin that this one depends on is not installed.",
    "install it first",
  ),
  PLUGIN_TIMEOUT: code(
    "plugin",
    "The plugin did not answer in time.",
    "raise the timeout, or see the plugin's last lines in details",
  ),
  RESOURCE_NOT_FOUND: code("notFound", "No such resource.", "list the resources first"),
  PROJECT_ROOT_REQUIRED: code(
    "usage",
    "Several project roots are open and none was chosen.",
    "name one in _meta.gumRoot",
  ),

  // host
  PIPELINE_INVALID: code(
    "usage",
    "A pipeline file breaks the step contract.",
    "run `gum pipeline lint`, or `gum pipeline export` for a fresh copy",
  ),
  REGISTRY_LOCKED: code(
    "registry",
    "Another process is changing the registry.",
    "wait for it to end and try again",
  ),
  REGISTRY_IO: code(
    "registry",
    "The registry could not be read or written.",
    "check the disk and the folder's permissions, then `gum doctor`",
  ),
  PLUGIN_CATALOG_SCHEMA_UNSUPPORTED: code(
    "registry",
    "plugin-catalog.json was written by a newer gum.",
    "use that newer gum",
  ),
  PLUGIN_LOCK_SCHEMA_UNSUPPORTED: code(
    "registry",
    "plugins.lock was written by a newer gum.",
    "use that newer gum",
  ),
  PLUGIN_STATE_SCHEMA_UNSUPPORTED: code(
    "registry",
    "plugin-state.json was written by a newer gum.",
    "use that newer gum",
  ),
  CONFIG_INVALID: code("usage", "The configuration file breaks a rule.", "correct the key that is named"),
  UNKNOWN_CONFIG_KEY: code("usage", "No such configuration key.", "see `gum config list`"),
  KEYCHAIN_UNAVAILABLE: code(
    "configuration",
    "No keychain answers on this machine.",
    'use environment variables, or secrets.backend = "file"',
  ),
  USAGE: code("usage", "The command line is not understood.", "see `gum help`"),
  INTERNAL_ERROR: code("unexpected", "gum itself failed.", "run again with --log-level debug and report it"),
} as const satisfies Record<string, CodeFacts>;

export type ErrorCode = keyof typeof errorCodes;

/** The number that a process ends with after this error. */
export function exitCodeOf(error: ErrorCode): number {
  return exitCodes[errorCodes[error].exit];
}
