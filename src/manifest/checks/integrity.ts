import type { Finding } from "../../base/errors.ts";
import type { DocumentPath, ManifestDocument } from "../../model/document.ts";
import { rowsOf, type Table, tableOf, textOf, textOrNull } from "../access.ts";
import { type DistDigest, type DistFile, type DistSums, publicOrders, sumDist } from "../dist-digest.ts";
import { show } from "../models/parts.ts";
import { Report } from "../report.ts";

const code = "PLUGIN_INTEGRITY_MISMATCH";

export interface ManifestSignature {
  readonly alg: string;
  readonly signature: string;
  readonly keyId: string | null;
}

/** The digest string that signatures are made over, such as `sha256:…`; null where the manifest has none (T27). */
export function distHashOf({ dialect, value }: ManifestDocument): string | null {
  return dialect === "esm" ? textOrNull(tableOf(value.dist).hash) : null;
}

/** The signatures that the manifest itself carries (T27). */
export function signaturesOf({ dialect, value }: ManifestDocument): ManifestSignature[] {
  if (dialect !== "esm") return [];
  return rowsOf(value.signatures).map((row) => ({
    alg: textOf(row.alg),
    signature: textOf(row.signature),
    keyId: textOrNull(row.keyId),
  }));
}

/** The files below dist/ have the digests, count and size that the manifest declares (M32). */
export async function checkIntegrity(
  document: ManifestDocument,
  files: readonly DistFile[],
): Promise<Finding[]> {
  const declared = distHashOf(document);
  if (declared === null) return [];
  const report = new Report(document);
  const dist = tableOf(document.value.dist);
  const { form, sums } = await matchingForm(dist, declared, files);
  if (form === undefined) {
    report.say(code, ["dist", "hash"], `The files below dist/ do not have the digest ${declared}.`);
  } else reportHashes(report, dist, form);
  reportCounts(report, dist, files);
  reportFiles(report, dist, sums);
  return report.findings();
}

async function matchingForm(
  dist: Table,
  declared: string,
  files: readonly DistFile[],
): Promise<{ form: DistDigest | undefined; sums: DistSums }> {
  const wanted = declared.replace(/^sha256:/, "").toLowerCase();
  const algorithms = rowsOf(dist.hashes).map(({ alg }) => textOf(alg));
  let sums: DistSums = { forms: [], files: new Map() };
  for (const order of publicOrders(files)) {
    sums = await sumDist(order, algorithms);
    const form = sums.forms.find(({ digests }) => digests.sha256 === wanted);
    if (form !== undefined) return { form, sums };
  }
  return { form: undefined, sums };
}

function reportHashes(report: Report, dist: Table, { digests }: DistDigest): void {
  for (const [i, row] of rowsOf(dist.hashes).entries()) {
    const alg = textOf(row.alg);
    const hex = digests[alg] ?? "";
    const written = textOf(row.value).replace(new RegExp(`^${alg}[:-]`, "i"), "");
    if (written.toLowerCase() === hex || written === hexToBase64(hex)) continue;
    report.say(
      code,
      ["dist", "hashes", i, "value"],
      `The files below dist/ do not have the declared ${alg} digest.`,
    );
  }
}

function reportCounts(report: Report, dist: Table, files: readonly DistFile[]): void {
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
  const actual: readonly (readonly [string, number])[] = [
    ["fileCount", files.length],
    ["totalBytes", totalBytes],
  ];
  for (const [field, count] of actual) {
    const path: DocumentPath = ["dist", field];
    if (dist[field] !== undefined && dist[field] !== count) {
      report.field(code, path, `is ${show(dist[field])}, but dist/ has ${count}`);
    }
  }
}

function reportFiles(report: Report, dist: Table, { files }: DistSums): void {
  const listed = new Set<string>();
  for (const [i, row] of rowsOf(tableOf(dist.checksums).files).entries()) {
    const path = textOf(row.path).replace(/^(?:\.\/)?dist\//, "");
    const actual = files.get(path);
    listed.add(path);
    if (actual !== textOf(row.sha256).toLowerCase()) {
      const what = actual === undefined ? "is not a file below dist/" : "does not have the declared SHA-256";
      report.say(code, ["dist", "checksums", "files", i], `${show(row.path)} ${what}.`);
    }
  }
  const missing = [...files.keys()].filter((path) => !listed.has(path));
  if (dist.coverage === "all" && missing.length > 0) {
    report.field(code, ["dist", "coverage"], `is "all", but checksums.files leaves out ${show(missing[0])}`);
  }
}

function hexToBase64(hex: string): string {
  const bytes = hex.match(/../g)?.map((pair) => String.fromCharCode(Number.parseInt(pair, 16))) ?? [];
  return btoa(bytes.join(""));
}
