import { join } from "node:path/posix";
import { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { Artifact, Source } from "../model/install.ts";
import type { Profile } from "../model/profile.ts";
import { defineStep } from "../pipeline/step.ts";
import { openStaging } from "../registry/staging.ts";
import { sourceName } from "../source/parse-source.ts";

/** Brings what is not a folder into the staging folder, where nobody else can change it. */
export const fetch = defineStep({
  name: "fetch",
  summary: "Copy, download or clone the source into the staging folder.",
  needs: ["source", "profile"],
  gives: ["artifact", "staging"],
  codes: ["PLUGIN_FETCH_FAILED", "REGISTRY_IO", "REGISTRY_LOCKED"],
  async run({ source, profile }, { host, signal, cleanup, note, progress }) {
    if (source.kind === "folder") return { artifact: asItIs(source), staging: null };
    const staging = await openStaging(host, profile, { command: `plugin install ${sourceName(source)}` });
    cleanup.defer(() => staging.close());
    const tell = (done: number, total?: number): void =>
      progress(`fetching ${sourceName(source)}`, done, total);
    const artifact = await bring(host, profile, source, { folder: staging.folder, signal, tell });
    note(artifact.kind === "archive" ? `${artifact.size} bytes` : "the files of the commit");
    return { artifact, staging };
  },
  otherwise: ({ source }) => ({ artifact: asItIs(source), staging: null }),
});

/** A folder needs no fetching; whatever else a pipeline skips is not there. */
function asItIs(source: Source): Artifact {
  if (source.kind === "folder") return { kind: "folder", path: source.path };
  throw new GumError(
    "PLUGIN_FETCH_FAILED",
    `The pipeline does not fetch a source of the kind "${source.kind}".`,
    {
      hint: "skip `fetch` only for folders: `when: not-a-folder`",
    },
  );
}

interface Bringing {
  readonly folder: string;
  readonly signal: AbortSignal;
  tell(done: number, total?: number): void;
}

async function bring(
  host: Host,
  profile: Profile,
  source: Exclude<Source, { kind: "folder" }>,
  { folder, signal, tell }: Bringing,
): Promise<Exclude<Artifact, { kind: "folder" }>> {
  const target = join(folder, "archive");
  switch (source.kind) {
    case "archive": {
      const { copyArchive } = await import("../source/copy-archive.ts");
      return {
        kind: "archive",
        path: target,
        ...(await copyArchive(host, source.path, target, signal, tell)),
      };
    }
    case "url": {
      const { download } = await import("../source/download.ts");
      const token = marketplaceToken(host, profile);
      const got = await download(host, { url: source.url, target, signal, token, onProgress: tell });
      return { kind: "archive", path: target, ...got };
    }
    case "git": {
      const { checkout } = await import("../source/checkout.ts");
      return { kind: "checkout", path: await checkout(host, { ...source, folder, signal }) };
    }
  }
}

/** The token goes to the configured marketplace and to nobody else (W26). */
function marketplaceToken(
  host: Host,
  { marketplaceUrl }: Profile,
): { origin: string; value: string } | undefined {
  const value = host.env.MARKETPLACE_TOKEN;
  const url = marketplaceUrl == null ? null : URL.parse(marketplaceUrl);
  if (value === undefined || value === "" || url === null) return undefined;
  return { origin: url.origin, value };
}
