// W16–W18: what the two lines of a side process say, and what is wrong with them. The order of the checks is the
// contract's: type, protocol, ids, tool, capabilities.
import type { Refusal } from "./handshake-failure.ts";
import { type JsonFault, type JsonObject, memberObject, ownValue, readObject } from "./json-line.ts";
import type { RawLine } from "./raw-lines.ts";
import { oneLine } from "./text.ts";
import type { Written } from "./value-answer.ts";

/** What a process says about itself in its first line. */
export interface SideManifest {
  readonly pluginId: string;
  readonly pluginVersion: string;
  readonly protocolVersion: string;
  readonly exposedTools: readonly string[];
  /** As it stands there; undefined when it is absent or null. */
  readonly capabilities: unknown;
}

export interface Bound {
  readonly protocol: string;
  /** Null where nobody has said which plugin it must be. */
  readonly pluginId: string | null;
}

/** Reads the handshake response: type, protocol, ids. */
export function readHandshake(line: RawLine, bound: Bound): SideManifest | Refusal {
  const read = readLine(line, "handshake");
  if ("why" in read) return notHandshake(read.why);
  const manifest = memberObject(read, "manifest");
  if (manifest === undefined) return notHandshake("has no manifest");
  if (manifest.repeated !== undefined)
    return notHandshake(`has "${manifest.repeated}" twice in its manifest`);
  const protocolVersion = textOf(manifest, "protocol_version");
  if (protocolVersion === undefined) return notHandshake("names no protocol_version");
  if (protocolVersion !== bound.protocol) return otherProtocol(protocolVersion, bound.protocol);
  const pluginId = textOf(manifest, "plugin_id");
  if (pluginId === undefined) return notHandshake("names no plugin_id");
  const pluginVersion = textOf(manifest, "plugin_version");
  if (pluginVersion === undefined) return notHandshake("names no plugin_version");
  const exposedTools = ownValue(manifest, "exposed_tools");
  if (!isTexts(exposedTools)) return notHandshake("names no exposed_tools");
  if (bound.pluginId !== null && pluginId !== bound.pluginId) {
    return notHandshake(`names the plugin_id ${quoted(pluginId)} instead of ${quoted(bound.pluginId)}`);
  }
  const capabilities = ownValue(manifest, "capabilities") ?? undefined;
  return { pluginId, pluginVersion, protocolVersion, exposedTools, capabilities };
}

/** Why the tool cannot be called: it is not exposed, or the capabilities are not those that were granted. */
export function refuseTools({ exposedTools }: SideManifest, tools: readonly string[]): Refusal | undefined {
  const missing = tools.find((tool) => !exposedTools.includes(tool));
  if (missing === undefined) return undefined;
  return {
    failureCode: "tool_not_exposed",
    what: `does not expose the tool ${quoted(missing)}`,
    hint: "name the tool in exposed_tools of the handshake's manifest",
    details: { tool: missing, exposed_tools: exposedTools.slice(0, 100) },
  };
}

/** W18: what the plugin declares must be well written and granted by the operator; naming grants nothing. */
export function refuseCapabilities(
  { capabilities }: SideManifest,
  granted: readonly string[],
): Refusal | undefined {
  if (capabilities === undefined) {
    return granted.length === 0 ? undefined : undeclared("declares no capabilities", granted);
  }
  if (!isTexts(capabilities)) return undeclared("declares capabilities that are no list of texts", granted);
  const odd = capabilities.find(
    (name, index) => name === "" || name.trim() !== name || capabilities.indexOf(name) !== index,
  );
  if (odd !== undefined) {
    return undeclared(`declares a capability that is empty, padded or twice there: ${quoted(odd)}`, granted);
  }
  const foreign = capabilities.filter((name) => !granted.includes(name));
  const [first] = foreign;
  if (first === undefined) return undefined;
  return {
    failureCode: "capability_not_allowed",
    what: `wants the capability ${quoted(first)}, which was not granted`,
    hint: `grant it with --grant ${first} at install, or with \`gum plugin grant <id> ${first}\``,
    details: { capabilities: foreign.slice(0, 100), granted },
  };
}

export type SideReply =
  | { readonly status: "ok"; readonly output: Written; readonly metadata: Written | undefined }
  | { readonly status: "error"; readonly error: { readonly code: string; readonly message: string } };

/** Reads the execute response. */
export function readResponse(line: RawLine, requestId: string): SideReply | Refusal {
  const read = readLine(line, "response");
  if ("why" in read) return malformed(read.why);
  if (ownValue(read, "request_id") !== requestId) return malformed("has another request_id");
  const status = ownValue(read, "status");
  const error = ownValue(read, "error") ?? undefined;
  if (status === "ok") {
    if (error !== undefined) return malformed('has the status "ok" and an error');
    const metadata = ownValue(read, "metadata") ?? undefined;
    return {
      status,
      output: written(read, "output"),
      metadata: metadata === undefined ? undefined : written(read, "metadata"),
    };
  }
  if (status !== "error") return malformed("has an unknown status");
  return readError(read);
}

function readError(read: JsonObject): SideReply | Refusal {
  const error = memberObject(read, "error");
  if (error === undefined) return malformed('has the status "error" and no error');
  if (error.repeated !== undefined) return malformed(`has "${error.repeated}" twice in its error`);
  const [code, message] = [ownValue(error, "code"), ownValue(error, "message")];
  if (typeof code !== "string" || code === "") return malformed("has an error without a code");
  if (typeof message !== "string") return malformed("has an error without a message");
  return { status: "error", error: { code, message } };
}

/** A line as one object of this type. */
function readLine(line: RawLine, type: string): JsonObject | { readonly why: string } {
  if ("fault" in line) return { why: lineWords[line.fault] };
  const read = readObject(line.text);
  if ("fault" in read) return { why: jsonWords[read.fault] };
  if (read.repeated !== undefined) return { why: `has ${quoted(read.repeated)} twice` };
  return ownValue(read, "type") === type ? read : { why: `is not of the type "${type}"` };
}

const lineWords = { too_long: "is too long", not_utf8: "is not UTF-8", nul: "holds a NUL" } as const;
const jsonWords: Readonly<Record<JsonFault, string>> = {
  not_json: "is not JSON",
  too_deep: "is nested too deeply",
  not_object: "is no object",
};

function written(read: JsonObject, key: string): Written {
  return { value: ownValue(read, key) ?? null, text: read.written(key) ?? "null" };
}

function textOf(object: JsonObject, key: string): string | undefined {
  const value = ownValue(object, key);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function quoted(text: string): string {
  return JSON.stringify(oneLine(text, 128));
}

function notHandshake(why: string): Refusal {
  return {
    failureCode: "handshake_failed",
    what: `answered the handshake with a line that ${why}`,
    hint: "answer the first line with one handshake line, flush it, and write logs to stderr",
  };
}

function otherProtocol(said: string, wanted: string): Refusal {
  return {
    failureCode: "protocol_version_mismatch",
    what: `speaks ${quoted(said)} instead of ${quoted(wanted)}`,
    hint: "name the protocol that the handshake request names",
    details: { protocol_version: oneLine(said, 128), expected: wanted },
  };
}

function undeclared(what: string, granted: readonly string[]): Refusal {
  return {
    failureCode: "capability_not_declared",
    what,
    hint: "declare in capabilities what the plugin uses, each name once and without spaces around it; [] is fine",
    details: { granted },
  };
}

function malformed(why: string): Refusal {
  return {
    failureCode: "malformed_response",
    what: `answered the request with a line that ${why}`,
    hint: "answer with one response line that carries the request_id, and nothing after it",
  };
}

/** True for what is wrong with a line. */
export function isRefusal(value: object): value is Refusal {
  return "failureCode" in value;
}

/** Why more than the one line is wrong, in each phase. */
export const extraLine = {
  handshake: notHandshake("is followed by more"),
  call: malformed("is followed by more"),
} as const;

/** Why a line that breaks off is wrong, in each phase. */
export const brokenLine = {
  handshake: notHandshake("breaks off"),
  call: malformed("breaks off"),
} as const;
