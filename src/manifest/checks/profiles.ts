import * as v from "valibot";
import type { Finding } from "../../base/errors.ts";
import type { Read } from "../../base/json-reader.ts";
import { placeIn } from "../../base/place.ts";
import { ReadFault } from "../../base/read-fault.ts";
import { readToml } from "../../base/toml-reader.ts";
import type { DocumentPath, ManifestDocument } from "../../model/document.ts";
import type { Plugin, Tool } from "../../model/plugin.ts";
import type { ResolvedSchema } from "../../model/schema-bundle.ts";
import { type Table, tableOf, textOf, textsOf } from "../access.ts";
import { lastMark, renderPath } from "../document.ts";
import { ProfileFileModel } from "../models/output-profile.ts";
import { show } from "../models/parts.ts";
import { nullablePaths } from "../nullable-paths.ts";
import { Report, sortFindings } from "../report.ts";
import { pathOf } from "../review.ts";
import { findSurplus, unknownWords } from "../unknown-fields.ts";

/** One `profiles/*.toml` of the artifact. */
export interface ProfileFile {
  readonly file: string;
  readonly text: string;
}

export interface ProfileCheck {
  readonly findings: Finding[];
  readonly warnings: Finding[];
}

/** Every tool of the nested form has a profile or a reason, and no profile hides nulls that matter (M21, M22). */
export async function checkProfiles(
  plugin: Plugin,
  document: ManifestDocument,
  files: readonly ProfileFile[],
  schemas: readonly ResolvedSchema[] = [],
): Promise<ProfileCheck> {
  const report = new Report(document);
  const warned = new Report(document);
  const { profiles, broken } = await readProfiles(files);
  const list = document.dialect === "nested" ? "tools" : "advertised_tools";
  for (const [index, tool] of plugin.tools.entries()) {
    const path = [list, index];
    if (tool.output_profile === null) {
      if (document.dialect === "nested") reportMissing(report, tool, path);
      continue;
    }
    const profile = profiles.get(tool.output_profile);
    if (profile === undefined) {
      const where =
        "is in no file of profiles/, so that only a user's profile of this name can shape results";
      warned.field("PROFILE_REQUIRED", [...path, "output_profile"], `${show(tool.output_profile)} ${where}`);
    } else {
      const lost = uncovered(tool, profile, profiles, schemas);
      if (lost.length > 0) reportUnsafe(report, tool, path, lost);
    }
  }
  return { findings: [...broken, ...sortFindings(report.findings())], warnings: warned.findings() };
}

function reportMissing(report: Report, tool: Tool, path: readonly (string | number)[]): void {
  if (tool.raw_result_allowed && tool.token_budget_exception !== null) return;
  const predicate = tool.raw_result_allowed
    ? "needs token_budget_exception to say why its results stay unshaped"
    : "has no output_profile";
  report.field("PROFILE_REQUIRED", path, predicate);
}

function reportUnsafe(
  report: Report,
  tool: Tool,
  path: readonly (string | number)[],
  lost: readonly string[],
): void {
  const named = lost.slice(0, 5).join(", ") + (lost.length > 5 ? ` and ${lost.length - 5} more` : "");
  const field = tool.null_elision_safe_fields.length > 0 ? "null_elision_safe_fields" : "output_profile";
  report.say(
    "PROFILE_STRIP_NULLS_UNSAFE",
    [...path, field],
    `Output profile ${show(tool.output_profile)} strips nulls that null_elision_safe_fields of ${tool.name} does not cover: ${named}.`,
  );
}

/** Paths whose null the profile can remove although nobody declared that safe. */
function uncovered(
  tool: Tool,
  profile: Table,
  profiles: ReadonlyMap<string, Table>,
  schemas: readonly ResolvedSchema[],
): string[] {
  const parent = profiles.get(textOf(profile.inherits)) ?? {};
  const merged = { ...parent, ...profile };
  const safe = new Set(tool.null_elision_safe_fields);
  if (merged.strip_nulls !== true || safe.has("*")) return [];
  return elidable(tool, merged, schemas).filter((path) => !isBelow(path, safe));
}

function elidable(tool: Tool, profile: Table, schemas: readonly ResolvedSchema[]): string[] {
  const keep = new Set(textsOf(profile.keep_fields));
  const drop = new Set(textsOf(profile.drop_fields));
  const text = schemas.find(({ ref }) => ref === `${tool.schema_ref}.response`)?.text;
  if (text === undefined) return keep.size > 0 ? [...keep] : ["*"];
  const above = new Set([...keep].flatMap(ancestors));
  const parsed: unknown = JSON.parse(text);
  return nullablePaths(tableOf(parsed)).filter(
    (path) => (keep.size === 0 || above.has(path) || isBelow(path, keep)) && !isBelow(path, drop),
  );
}

/** Whether a path is one of the fields or lies below one: `segments[].aircraft` is below `segments`. */
function isBelow(path: string, fields: ReadonlySet<string>): boolean {
  return ancestors(path).some((ancestor) => fields.has(ancestor));
}

/** `a`, `a[]` and `a[].b` of `a[].b`. */
function ancestors(path: string): string[] {
  const ends = [...path.matchAll(/\.|\[\]/g)].map(({ index }) => path.slice(0, index));
  const inside = [...path.matchAll(/\[\]/g)].map(({ index }) => path.slice(0, index + 2));
  return [...ends, ...inside, path];
}

/** Fields that no profile has, and values of the wrong kind (D10, D11). */
function structureFindings(file: string, text: string, { value, marks }: Read): Finding[] {
  const finding = (path: DocumentPath, predicate: string): Finding => ({
    code: "PROFILE_INVALID",
    message: `${path.length === 0 ? file : renderPath(path)} ${predicate}${predicate.endsWith("?") ? "" : "."}`,
    path: renderPath(path),
    at: placeIn(file, text, lastMark(marks, path).at),
  });
  const { unknown, lists } = findSurplus(ProfileFileModel, value);
  const { issues = [] } = v.safeParse(ProfileFileModel, value);
  return sortFindings([
    ...issues.map((issue) => finding(pathOf(issue), issue.message)),
    ...lists.map((path) => finding(path, "must be an object, not a list")),
    ...unknown.map(({ path, meant }) => finding(path, unknownWords(meant))),
  ]).slice(0, 100);
}

async function readProfiles(
  files: readonly ProfileFile[],
): Promise<{ profiles: Map<string, Table>; broken: Finding[] }> {
  const profiles = new Map<string, Table>();
  const broken: Finding[] = [];
  for (const { file, text: written } of files) {
    const text = written.replaceAll("\r\n", "\n");
    try {
      const read = await readToml(text);
      const { value } = read;
      broken.push(...structureFindings(file, text, read));
      for (const [name, profile] of Object.entries(tableOf(tableOf(value).output_profiles))) {
        profiles.set(name, tableOf(profile));
      }
    } catch (error) {
      if (!(error instanceof ReadFault)) throw error;
      const at = placeIn(file, text, error.offset);
      broken.push({ code: "PROFILE_INVALID", message: `${file} cannot be read: ${error.message}.`, at });
    }
  }
  return { profiles, broken };
}
