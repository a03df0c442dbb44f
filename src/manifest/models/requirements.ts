import * as v from "valibot";
import { externalComponents, secretComponents } from "../../model/auth-kinds.ts";
import {
  about,
  EnvName,
  Flag,
  integer,
  listOf,
  Milliseconds,
  mapOf,
  matching,
  NonEmpty,
  oneOf,
  oneOrPrivate,
  Text,
  Texts,
  table,
} from "./parts.ts";

export const credentialKinds = ["api_key", "oauth_token", "cookie", "session", "other"] as const;
export const authStrategies = [
  "gum_oauth",
  "byo_oauth",
  "adc",
  "service_account",
  "api_key",
  "compound",
  "plugin_managed",
  "none",
] as const;

const Alias = matching(/^[a-z][a-z0-9_]{0,63}$/, "a lower-case letter and up to 63 of a-z, 0-9 and _");
const DisplayName = v.pipe(
  Text,
  v.regex(/\S/, "must not be empty"),
  v.maxLength(80, "must have at most 80 characters"),
);
const SetupHint = v.pipe(Text, v.maxLength(160, "must have at most 160 characters"));
const AnyMap = mapOf(v.string(), v.unknown());

export const CanaryEntry = table({
  tool: about(NonEmpty, "The tool to call, by the name that the plugin knows it by; it must be a read tool."),
  args: v.optional(
    about(AnyMap, "Arguments; today, now, +7d, -2w become dates, {component:alias} an account identifier."),
  ),
  expect: v.optional(
    table({
      is_error: v.optional(Flag),
      has: v.optional(Texts),
      equals: v.optional(AnyMap),
      max_ms: v.optional(Milliseconds),
      response_schema: v.optional(v.unknown()),
    }),
  ),
  timeout_ms: v.optional(Milliseconds),
});

const Descriptor = table({
  alias: about(Alias, "The name that people and agents see."),
  env: about(EnvName, "The variable that the plugin reads."),
  kind: oneOf(credentialKinds),
  display_name: about(DisplayName, "What the credential is called when it is asked for."),
  setup_hint: about(SetupHint, "Where to find it."),
});

const componentKinds = [...secretComponents, ...externalComponents];
const Component = table({
  kind: oneOrPrivate(componentKinds, `a known kind (${componentKinds.join(", ")}) or begin with x-`),
  alias: Alias,
  display_name: DisplayName,
  setup_hint: SetupHint,
  env: v.optional(EnvName),
});

/** What both gum forms have under `requirements`. */
export const requirements = {
  rate_policy: v.optional(
    about(
      table({ per_minute: integer(1, 1_000_000), burst: integer(1, 1_000_000) }),
      "At most so many calls.",
    ),
  ),
  cache_ttl: v.optional(about(integer(0, 31_536_000), "Seconds for which answers of read tools are kept.")),
  needs_user_creds: v.optional(about(listOf(EnvName, 0), "Variables whose values the user must provide.")),
  credential_descriptors: v.optional(about(listOf(Descriptor, 0), "One for each credential.")),
  auth_strategy: v.optional(about(oneOf(authStrategies), "How the plugin gets at its service.")),
  auth_components: v.optional(about(listOf(Component, 0), "What has to be set up before the plugin works.")),
};

export const EnvAllow = about(
  listOf(EnvName, 0),
  "Variables of the user's environment that reach the plugin.",
);
export const EnvLiterals = about(
  mapOf(EnvName, Text),
  "Variables with fixed values; the placeholders data and root are expanded.",
);

/** The core-owned side of the handshake wire (W16). */
export const HandshakeTable = table({
  protocol: v.optional(
    about(NonEmpty, "The protocol that both sides must name; rterm.plugin.v1 by default."),
  ),
  plugin_id: v.optional(
    about(
      matching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, "up to 128 of A-Z, a-z, 0-9, ., _ and -"),
      "The id by which the process names itself; the plugin's id by default.",
    ),
  ),
  launch_timeout_ms: v.optional(Milliseconds),
  handshake_timeout_ms: v.optional(Milliseconds),
  timeout_ms: v.optional(Milliseconds),
  teardown_timeout_ms: v.optional(Milliseconds),
});

const OuterPath = matching(/^(?:\/|~\/|~$)/, "an absolute path or one that begins with ~/");

/** What the manifest asks the operator for; asking never grants (T35). */
export const RequestsTable = table({
  read: v.optional(about(listOf(OuterPath, 0, 100), "Paths that the plugin would like to read.")),
  write: v.optional(about(listOf(OuterPath, 0, 100), "Paths that the plugin would like to write.")),
  shm: v.optional(about(Flag, "Whether it would like to use /dev/shm.")),
});

export const HandshakeCapabilities = about(
  listOf(matching(/^\S(?:.*\S)?$/, "a name without spaces around it"), 0, 100),
  "Capabilities that a handshake-plugin may declare; the operator grants them.",
);
