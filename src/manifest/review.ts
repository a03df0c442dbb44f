// One pass of a document through its model. Each issue is routed to the class of refusals that it belongs to,
// so that every check reports its own and the order of classes decides which one wins (M41).
import * as v from "valibot";
import type { ErrorCode } from "../base/error-codes.ts";
import type { Finding } from "../base/errors.ts";
import type { DocumentPath, ManifestDocument } from "../model/document.ts";
import { modelOf } from "./models/table.ts";
import { Report } from "./report.ts";

export type CheckClass = "fields" | "bindings" | "credentials" | "auth" | "schemas" | "namespace";

/** Where an issue goes: a class and a code, or "own" when a check of its own reports it with the right code. */
type Target = readonly [CheckClass, ErrorCode] | "own";

interface Route {
  readonly path: RegExp;
  /** Text of the wrong form, as opposed to a missing value or one of the wrong kind. */
  readonly malformed?: Target;
  readonly any?: Target;
}

const routes: readonly Route[] = [
  { path: /^(?:manifest_schema_version|manifestVersion|(?:plugin\.)?shape)$/, any: "own" },
  {
    path: /^(?:plugin\.)?namespace_owner$|^x-namespace-owner$/,
    any: ["namespace", "PLUGIN_NAMESPACE_CONFLICT"],
  },
  { path: /^(?:executable|plugin\.command(?:\.0)?)$/, malformed: "own" },
  { path: /^entry$/, malformed: "own" },
  { path: /^(?:declared_capabilities|requirements)\.fs_write_dir$/, malformed: "own" },
  { path: /^tools\.\d+\.backend_kind$/, malformed: ["bindings", "UNKNOWN_BACKEND_KIND"] },
  { path: /^tools\.\d+\.interface_kind$/, malformed: ["bindings", "UNKNOWN_INTERFACE_KIND"] },
  { path: /^tools\.\d+\.capabilities\.\d+$/, malformed: ["bindings", "UNKNOWN_CAPABILITY"] },
  { path: /^tools\.\d+\.(?:tool_name|rpc_service|rpc_method)$/, any: ["bindings", "PLUGIN_BINDING_INVALID"] },
  { path: /^tools\.\d+\.schema_ref$/, any: ["schemas", "PLUGIN_SCHEMA_REF_INVALID"] },
  {
    path: /^requirements\.credential_descriptors\b/,
    any: ["credentials", "PLUGIN_CREDENTIAL_DESCRIPTOR_INVALID"],
  },
  { path: /^requirements\.auth_components\.\d+\.kind$/, malformed: ["auth", "AUTH_COMPONENT_UNKNOWN"] },
  { path: /^requirements\.auth_(?:strategy|components)\b/, any: ["auth", "PLUGIN_MANIFEST_INVALID"] },
];

/** In a longer manifest the model stops at its first issue: half a million of them would fill the memory. */
const fullReviewLimit = 256 * 1024;

const reviews = new WeakMap<ManifestDocument, ReadonlyMap<CheckClass, Report>>();

/** What the model says about the document in this class. */
export function modelFindings(document: ManifestDocument, of: CheckClass): Finding[] {
  let review = reviews.get(document);
  if (review === undefined) {
    review = reviewed(document);
    reviews.set(document, review);
  }
  return review.get(of)?.findings() ?? [];
}

function reviewed(document: ManifestDocument): ReadonlyMap<CheckClass, Report> {
  const reports = new Map<CheckClass, Report>();
  const abortEarly = document.text.length > fullReviewLimit;
  const { issues = [] } = v.safeParse(modelOf(document), document.value, { abortEarly });
  for (const issue of issues) {
    const path = pathOf(issue);
    const target = targetOf(path.join("."), issue.kind === "validation");
    if (target === "own") continue;
    const [group, code] = target;
    let report = reports.get(group);
    if (report === undefined) {
      report = new Report(document);
      reports.set(group, report);
    }
    report.field(code, path, issue.message);
  }
  return reports;
}

/** Where in the value an issue of a model lies. */
export function pathOf(issue: v.BaseIssue<unknown>): DocumentPath {
  return (issue.path ?? []).map(({ key }) => (typeof key === "number" ? key : String(key)));
}

function targetOf(path: string, malformed: boolean): Target {
  for (const route of routes) {
    if (!route.path.test(path)) continue;
    const target = (malformed ? route.malformed : undefined) ?? route.any;
    if (target !== undefined) return target;
  }
  return ["fields", "PLUGIN_MANIFEST_INVALID"];
}
