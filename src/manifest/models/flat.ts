// Form A, the flat manifest of the author guide.
import * as v from "valibot";
import { riskClasses } from "../../model/risk.ts";
import {
  about,
  Flag,
  InnerPath,
  listOf,
  Milliseconds,
  NamespaceOwner,
  NonEmpty,
  oneOf,
  PluginId,
  Text,
  Texts,
  ToolName,
  table,
  WritePath,
} from "./parts.ts";
import {
  CanaryEntry,
  EnvAllow,
  EnvLiterals,
  HandshakeCapabilities,
  HandshakeTable,
  RequestsTable,
  requirements,
} from "./requirements.ts";

const AdvertisedTool = table({
  name: about(ToolName, "The tool's name as the plugin lists it; gum adds plug.<plugin_id>. in front."),
  title: v.optional(Text),
  description: v.optional(about(Text, "What the tool does, for people and agents.")),
  risk_class: about(oneOf(riskClasses), "What a call can do at worst."),
  confirmation_policy: v.optional(oneOf(["none", "high_stakes_write"])),
  output_profile: v.optional(about(NonEmpty, "The output profile that shapes results.")),
  null_elision_safe_fields: v.optional(listOf(Text, 0)),
});

/** Form A. */
export const FlatManifest = v.pipe(
  table({
    $schema: v.optional(Text),
    manifest_schema_version: about(v.literal(1, "must be the integer 1"), "Always 1."),
    plugin_id: about(PluginId, "The plugin's id, which is also the prefix of its operations."),
    name: about(NonEmpty, "The name that people see."),
    version: about(NonEmpty, "The version; semver where it is to be compared."),
    namespace_owner: NamespaceOwner,
    shape: about(oneOf(["mcp-plugin", "jsonl-plugin", "handshake-plugin"]), "How gum talks to the plugin."),
    executable: about(
      InnerPath,
      "The program, inside the folder; or a script of the folder's pyproject.toml.",
    ),
    args: v.optional(about(Texts, "Arguments of the program; the placeholders data and root are expanded.")),
    env: v.optional(EnvLiterals),
    advertised_tools: about(
      listOf(AdvertisedTool, 1),
      "The tools, exactly as the running plugin lists them.",
    ),
    declared_capabilities: about(
      table({
        network: about(Flag, "Whether the plugin may use the network."),
        fs_write_dir: v.optional(about(WritePath, "A folder below the data folder; empty for all of it.")),
        env_allow: v.optional(EnvAllow),
      }),
      "What the sandbox lets the plugin do.",
    ),
    requirements: v.optional(table({ ...requirements, canary: v.optional(CanaryEntry) })),
    requests: v.optional(RequestsTable),
    description: v.optional(Text),
    license: v.optional(Text),
    homepage: v.optional(Text),
    timeout_ms: v.optional(about(Milliseconds, "The longest that one call may take.")),
    capabilities: v.optional(HandshakeCapabilities),
    handshake: v.optional(HandshakeTable),
  }),
  v.title("gum plugin manifest, flat form"),
);
