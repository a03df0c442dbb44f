import type { Finding } from "../../base/errors.ts";
import type { ManifestDocument } from "../../model/document.ts";
import type { Plugin } from "../../model/plugin.ts";
import { buildEsm } from "../build/esm.ts";
import { buildFlat } from "../build/flat.ts";
import { buildNested } from "../build/nested.ts";
import { modelOf } from "../models/table.ts";
import { Report, sortFindings } from "../report.ts";
import { modelFindings } from "../review.ts";
import { findSurplus, type UnknownField, unknownWords } from "../unknown-fields.ts";
import { isDeferred, reportDeferred } from "./deferred.ts";
import { ownerOf } from "./namespace.ts";
import { placeholderWarnings } from "./placeholders.ts";
import { reportEsm, reportFlat, reportNested } from "./whole.ts";

export interface FieldOptions {
  /** Dev profiles may derive an owner. */
  readonly dev: boolean;
  /** What `--owner` says, for manifests that name none. */
  readonly owner?: string | undefined;
  /** Unknown fields are findings instead of warnings. */
  readonly strict: boolean;
}

export interface FieldCheck {
  readonly findings: Finding[];
  readonly warnings: Finding[];
  /** The normalised plugin; absent when there are findings. */
  readonly plugin?: Plugin;
}

/** Every field by itself and against the others, and the one plugin model that comes of them. */
export function checkFields(document: ManifestDocument, options: FieldOptions): FieldCheck {
  const report = new Report(document);
  const unknown = new Report(document);
  const surplus = findSurplus(modelOf(document), document.value);
  for (const path of surplus.lists)
    report.field("PLUGIN_MANIFEST_INVALID", path, "must be an object, not a list");
  for (const field of surplus.unknown) {
    if (isDeferred(field.path)) continue;
    unknown.key("PLUGIN_MANIFEST_INVALID", field.path, unknownPredicate(document, field));
  }
  reportDeferred(document, report);
  const plugin = build(document, options);
  wholes[document.dialect](plugin, document, report);
  const { strict } = options;
  const findings = sortFindings([
    ...modelFindings(document, "fields"),
    ...report.findings(),
    ...(strict ? unknown.findings() : []),
  ]);
  const hints = placeholderWarnings(plugin, document);
  const warnings = sortFindings([...(strict ? [] : unknown.findings()), ...hints]);
  return findings.length > 0 ? { findings, warnings } : { findings, warnings, plugin };
}

/** What a field of one form is called in the other. */
const otherForm: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  nested: {
    plugin_id: "plugin.name",
    executable: "plugin.command",
    args: "plugin.command",
    advertised_tools: "tools",
    declared_capabilities: "requirements",
  },
  flat: { tools: "advertised_tools" },
};

function unknownPredicate({ dialect }: ManifestDocument, { path, meant }: UnknownField): string {
  const renamed = path.length === 1 ? otherForm[dialect]?.[String(path[0])] : undefined;
  return unknownWords(renamed ?? meant);
}

const wholes = { flat: reportFlat, nested: reportNested, esm: reportEsm };

function build(document: ManifestDocument, options: FieldOptions): Plugin {
  switch (document.dialect) {
    case "flat":
      return buildFlat(document.value);
    case "nested":
      return buildNested(document.value);
    case "esm":
      return buildEsm(document.value, ownerOf(document.value, options));
  }
}
