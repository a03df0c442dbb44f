// S2–S4: what can be read. Lists are short on purpose: everything else is found through templates and completions.

import { canonicalJson } from "../base/digest.ts";
import { GumError } from "../base/errors.ts";
import { isRecord } from "../base/record.ts";
import { helpTopic, helpTopics } from "../kernel/help.ts";
import { isPipelineName, pipelineNames } from "../kernel/pipeline-texts.ts";
import { pipelineYaml } from "../kernel/pipelines.ts";
import { readResult } from "../kernel/results.ts";
import type { ServerClient } from "../kernel/server.ts";
import {
  inventory,
  opView,
  pluginView,
  resourceNotFound,
  schemaView,
  variantView,
} from "../kernel/server-views.ts";
import { gumVersion } from "../model/version.ts";
import type { Hub } from "./hub.ts";
import type { Result } from "./results.ts";
import { type Place, pluginResourceUri, readUri } from "./uris.ts";

const json = "application/json";

const own = [
  {
    uri: "gum://plugins",
    name: "plugins",
    description: "Installed plugins and their status.",
    mimeType: json,
  },
  {
    uri: "gum://status/canaries",
    name: "canaries",
    description: "The last canary of each plugin.",
    mimeType: json,
  },
  { uri: "gum://status/health", name: "health", description: "How this server is doing.", mimeType: json },
  { uri: "gum://status/load", name: "load", description: "What was loaded at the start.", mimeType: json },
] as const;

const ownTemplates = [
  { uriTemplate: "gum://plugin/{name}", name: "plugin", mimeType: json },
  { uriTemplate: "gum://plugin/{name}/resource/{+uri}", name: "plugin resource" },
  { uriTemplate: "gum://op/{id}", name: "operation", mimeType: json },
  { uriTemplate: "gum://variant/{id}", name: "variant", mimeType: json },
  { uriTemplate: "gum://schema/{ref}", name: "schema", mimeType: "application/schema+json" },
  { uriTemplate: "gum://results/{hash}", name: "full result", mimeType: json },
  { uriTemplate: "gum://pipelines/{name}", name: "pipeline", mimeType: "application/yaml" },
  { uriTemplate: "gum://help/{topic}", name: "help", mimeType: "text/markdown" },
] as const;

/** gum's own resources, then those of the plugins. */
export async function listResources({ offers }: Hub, client: ServerClient): Promise<readonly Result[]> {
  const found = [...(await offers.all(client))].flatMap(([plugin, { resources }]) =>
    resources.flatMap((entry) => {
      if (!isRecord(entry) || typeof entry.uri !== "string") return [];
      const name = typeof entry.name === "string" ? entry.name : entry.uri;
      return [{ ...entry, name: `${plugin}: ${name}`, uri: pluginResourceUri(plugin, entry.uri) }];
    }),
  );
  return [...own, ...found];
}

/** gum's own templates, then those of the plugins. */
export async function listTemplates({ offers }: Hub, client: ServerClient): Promise<readonly Result[]> {
  const found = [...(await offers.all(client))].flatMap(([plugin, { templates }]) =>
    templates.flatMap((entry) => {
      if (!isRecord(entry) || typeof entry.uriTemplate !== "string") return [];
      const name = typeof entry.name === "string" ? entry.name : entry.uriTemplate;
      const uriTemplate = pluginResourceUri(plugin, entry.uriTemplate);
      return [{ ...entry, name: `${plugin}: ${name}`, uriTemplate }];
    }),
  );
  return [...ownTemplates, ...found];
}

/** What stands at an address; an unknown one is RESOURCE_NOT_FOUND. */
export async function readResource(
  hub: Hub,
  client: ServerClient,
  uri: string,
  signal: AbortSignal,
): Promise<Result> {
  const place = readUri(uri);
  if (place === undefined) {
    throw resourceNotFound(
      `There is no resource "${uri.slice(0, 200)}".`,
      uri,
      own.map((one) => one.uri),
    );
  }
  if (place.kind === "plugin-resource") return pluginResource(client, place, signal);
  const { text, mimeType } = await readOwn(hub, place).catch((error: unknown) => {
    throw asMissing(error);
  });
  return { contents: [{ uri, mimeType, text }] };
}

/** What has no such operation, variant or plugin behind it is a resource that is not there (S3). */
function asMissing(thrown: unknown): unknown {
  if (!(thrown instanceof GumError) || !/^(OP|VARIANT|PLUGIN)_NOT_FOUND$/.test(thrown.code)) return thrown;
  return new GumError("RESOURCE_NOT_FOUND", thrown.message, thrown.info);
}

interface Text {
  readonly text: string;
  readonly mimeType: string;
}

async function readOwn(hub: Hub, place: Exclude<Place, { kind: "plugin-resource" }>): Promise<Text> {
  const { server } = hub;
  switch (place.kind) {
    case "plugins":
      return asJson({ plugins: await inventory(server) });
    case "canaries":
      return asJson({ canaries: await hub.canaries.status() });
    case "health":
      return asJson(health(hub));
    case "load":
      return asJson(server.load);
    case "plugin":
      return asJson(await pluginView(server, place.name));
    case "op":
      return asJson(await opView(server, place.name));
    case "variant":
      return asJson(await variantView(server, place.name));
    case "schema":
      return { ...asJson(await schemaView(server, place.name)), mimeType: "application/schema+json" };
    case "result":
      return asJson(await readResult(server.kernel, place.name));
    case "pipeline":
      return pipelineFile(hub, place.name);
    case "help":
      return helpPage(place.name);
  }
}

function health({ server, clients, exposeTools }: Hub): Record<string, unknown> {
  const { clock } = server.kernel.host;
  return {
    ok: true,
    version: gumVersion,
    profile: server.kernel.profile.name,
    started_at: new Date(server.startedAt).toISOString(),
    uptime_ms: Math.max(0, clock.now() - server.startedAt),
    clients: clients.size,
    expose_tools: exposeTools,
    ...server.counts(),
  };
}

async function pipelineFile({ server }: Hub, name: string): Promise<Text> {
  if (!isPipelineName(name)) throw resourceNotFound(`There is no pipeline "${name}".`, name, pipelineNames);
  return { text: await pipelineYaml(server.kernel, name), mimeType: "application/yaml" };
}

async function helpPage(topic: string): Promise<Text> {
  const text = await helpTopic(topic);
  if (text === undefined) throw resourceNotFound(`There is no help about "${topic}".`, topic, helpTopics());
  return { text, mimeType: "text/markdown" };
}

/** A plugin's resource under gum's address: its own addresses mean nothing to the client. */
async function pluginResource(
  client: ServerClient,
  { name, uri }: Extract<Place, { kind: "plugin-resource" }>,
  signal: AbortSignal,
): Promise<Result> {
  const reply = await client.ask(
    { plugin: name, asks: { method: "resources/read", params: { uri } } },
    signal,
  );
  if (!isRecord(reply) || !Array.isArray(reply.contents)) {
    throw resourceNotFound(`The plugin "${name}" answered without contents.`, uri, []);
  }
  const contents = reply.contents.flatMap((entry: unknown) => {
    if (!isRecord(entry)) return [];
    return [{ ...entry, uri: pluginResourceUri(name, typeof entry.uri === "string" ? entry.uri : uri) }];
  });
  return { ...reply, contents };
}

function asJson(value: unknown): Text {
  // A value with undefined in it is not JSON; what it prints as is.
  return { text: canonicalJson(JSON.parse(JSON.stringify(value))), mimeType: json };
}
