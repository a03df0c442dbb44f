// Every configuration key there is, with its type, its default and the environment variable that also sets it.
// The docs page and `gum config list` are made from this table.

interface Key {
  readonly summary: string;
  readonly env?: string;
  /** The environment can only turn the value on; what the file says stays when it is stricter. */
  readonly tightenOnly?: true;
  /** Never printed, never written to the file. */
  readonly secret?: true;
}
interface BooleanKey extends Key {
  readonly type: "boolean";
  readonly fallback: boolean;
}
interface IntegerKey extends Key {
  readonly type: "integer";
  readonly fallback: number | null;
  readonly min: number;
  readonly max: number;
}
interface TextKey extends Key {
  readonly type: "text";
  readonly fallback: string | null;
  readonly choices?: readonly string[];
}
interface TextsKey extends Key {
  readonly type: "texts";
  readonly fallback: readonly string[];
}
export type ConfigKeyFacts = BooleanKey | IntegerKey | TextKey | TextsKey;

const megabyte = 1 << 20;
const hugeCount = Number.MAX_SAFE_INTEGER;

export const configKeys = {
  "profile.is_dev": {
    type: "boolean",
    fallback: false,
    summary: "Whether this is a dev profile; the profile named dev is one by itself.",
  },
  "pipelines.dir": {
    type: "text",
    fallback: null,
    env: "GUM_PIPELINES",
    summary: "Folder with edited copies of the pipelines.",
  },
  "plugins.install_dir": {
    type: "text",
    fallback: null,
    env: "PLUGIN_INSTALL_DIR",
    summary: "Folder for install roots instead of plugins/ in the data folder.",
  },
  "plugins.manifest_loader_enabled": {
    type: "boolean",
    fallback: true,
    env: "MANIFEST_LOADER_ENABLED",
    summary: "Whether ES-module plugins (mcp-plugin.json) are accepted.",
  },
  "plugins.require_signatures": {
    type: "boolean",
    fallback: false,
    env: "REQUIRE_SIGNATURES",
    tightenOnly: true,
    summary: "Install only plugins that are signed by a trusted key.",
  },
  "plugins.strict_capabilities": {
    type: "boolean",
    fallback: false,
    env: "STRICT_CAPABILITIES",
    tightenOnly: true,
    summary: "Refuse ES-module plugins whose declared and registered capabilities differ.",
  },
  "plugins.strict_tools": {
    type: "boolean",
    fallback: false,
    env: "STRICT_TOOLS",
    tightenOnly: true,
    summary: "Refuse ES-module plugins with an invalid tool instead of warning.",
  },
  "plugins.schema_path": {
    type: "text",
    fallback: null,
    env: "SCHEMA_PATH",
    summary: "A JSON Schema that mcp-plugin.json files must satisfy as well.",
  },
  "plugins.allow_native": {
    type: "boolean",
    fallback: false,
    summary: "Accept .node addons in ES-module plugins.",
  },
  "plugins.allow_runtime_deps": {
    type: "texts",
    fallback: [],
    summary: "External dependencies that ES-module plugins may have, as name@exact-version.",
  },
  "plugins.max_files": {
    type: "integer",
    fallback: 100_000,
    min: 1,
    max: 10_000_000,
    summary: "How many files and folders a plugin may have.",
  },
  "plugins.max_bytes": {
    type: "integer",
    fallback: 2_147_483_648,
    min: 1,
    max: hugeCount,
    summary: "How many bytes a plugin's files may have together.",
  },
  "marketplace.url": {
    type: "text",
    fallback: null,
    summary: "The only origin that gets the marketplace token.",
  },
  "marketplace.token": {
    type: "text",
    fallback: null,
    env: "MARKETPLACE_TOKEN",
    secret: true,
    summary: "Token for marketplace.url; it comes from the environment alone.",
  },
  "secrets.backend": {
    type: "text",
    fallback: "keychain",
    choices: ["keychain", "file", "env"],
    summary: "Where credentials are kept.",
  },
  "secrets.key_file": {
    type: "text",
    fallback: null,
    summary: "File (0600) with the key of the encrypted file keychain.",
  },
  "secrets.passphrase": {
    type: "text",
    fallback: null,
    env: "GUM_SECRETS_PASSPHRASE",
    secret: true,
    summary:
      "Passphrase of the encrypted file keychain without a key file; it comes from the environment alone.",
  },
  "auth.google_access_token_command": {
    type: "texts",
    fallback: [],
    summary: "Program and arguments that print a short-lived Google access token.",
  },
  "canary.interval": {
    type: "integer",
    fallback: 0,
    min: 0,
    max: 86_400 * 30,
    summary: "Seconds between passive canaries of a running server; 0 turns them off.",
  },
  "dispatch.strict_results": {
    type: "boolean",
    fallback: false,
    summary: "Treat a result that does not fit its schema as an error.",
  },
  "dispatch.connect_timeout_ms": {
    type: "integer",
    fallback: 10_000,
    min: 1,
    max: 86_400_000,
    summary: "How long a plugin may take to start and answer the first message.",
  },
  "dispatch.call_timeout_ms": {
    type: "integer",
    fallback: 60_000,
    min: 1,
    max: 86_400_000,
    summary: "How long a call may take.",
  },
  "dispatch.allow_longer_timeouts": {
    type: "boolean",
    fallback: false,
    summary: "Let a plugin's own timeout_ms be longer than the call timeout.",
  },
  "sessions.idle_seconds": {
    type: "integer",
    fallback: 300,
    min: 1,
    max: 86_400,
    summary: "After how long a server closes an unused plugin process.",
  },
  "wire.max_message_bytes": {
    type: "integer",
    fallback: 16 * megabyte,
    min: 1024,
    max: 1024 * megabyte,
    summary: "The longest message that a plugin may send.",
  },
  "limits.data_bytes": {
    type: "integer",
    fallback: null,
    min: megabyte,
    max: hugeCount,
    summary: "Data segment of a plugin process.",
  },
  "limits.file_bytes": {
    type: "integer",
    fallback: null,
    min: 0,
    max: hugeCount,
    summary: "Size of a file that a plugin writes.",
  },
  "limits.open_files": {
    type: "integer",
    fallback: null,
    min: 16,
    max: 1_048_576,
    summary: "Open files of a plugin process.",
  },
  "limits.cpu_seconds": {
    type: "integer",
    fallback: null,
    min: 1,
    max: hugeCount,
    summary: "CPU time of a one-shot plugin process.",
  },
  "generations.keep": {
    type: "integer",
    fallback: 20,
    min: 1,
    max: 10_000,
    summary: "How many generations with a changed lock or catalog are kept.",
  },
  "audit.rotate_bytes": {
    type: "integer",
    fallback: 16 * megabyte,
    min: 4096,
    max: 1024 * megabyte,
    summary: "At which size audit.jsonl is set aside and a new one begun.",
  },
  "registry.debug": {
    type: "boolean",
    fallback: false,
    env: "DEBUG_REGISTRY",
    summary: "Say in the log what the registry does.",
  },
} as const satisfies Record<string, ConfigKeyFacts>;

export type ConfigKey = keyof typeof configKeys;

type ValueOf<F extends ConfigKeyFacts> = F extends BooleanKey
  ? boolean
  : F extends IntegerKey
    ? number | (null extends F["fallback"] ? null : never)
    : F extends TextKey
      ? string | (null extends F["fallback"] ? null : never)
      : readonly string[];

/** The effective value of every key. */
export type ConfigValues = { readonly [K in ConfigKey]: ValueOf<(typeof configKeys)[K]> };
export type ConfigValue = ConfigValues[ConfigKey];
