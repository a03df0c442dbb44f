import type { AskConsent } from "../model/consent.ts";
import type { CanaryReport, InstallFlags } from "../model/install.ts";
import type { Status } from "../model/registry.ts";
import { parseSource } from "../source/parse-source.ts";
import type { InstallAnswer } from "./answers.ts";
import { settleGrants } from "./grants.ts";
import type { Kernel } from "./kernel.ts";
import { given, run } from "./run.ts";

/** A plugin is active once a command or a server has read the catalog (R13). */
function statusAfter({ ok, needsConfiguration }: CanaryReport): Status {
  if (!ok) return "quarantined";
  return needsConfiguration ? "needs_configuration" : "installed_pending_restart";
}

export interface InstallOptions {
  readonly dryRun: boolean;
  readonly askConsent: AskConsent;
  /** What the user said the archive's SHA-256 is. */
  readonly sha256?: string | undefined;
}

/** Takes a plugin from its source to the published registry. A failed trial still publishes, in quarantine. */
export async function install(
  kernel: Kernel,
  text: string,
  flags: InstallFlags,
  { dryRun, askConsent, sha256 }: InstallOptions,
): Promise<InstallAnswer> {
  const source = parseSource(text, { cwd: kernel.host.machine.cwd, sha256 });
  const settled = { ...flags, grants: await settleGrants(kernel, flags.grants) };
  const { state, record } = await run(
    kernel,
    "install",
    { profile: kernel.profile, source, flags: settled, askConsent },
    { stopBefore: dryRun ? "stage" : undefined },
  );
  const plugin = given(state, "plugin");
  const told = { plugin: plugin.id, version: plugin.version, warnings: record.warnings, steps: record.steps };
  if (dryRun) {
    return {
      ok: true,
      ...told,
      status: "not_installed",
      dry_run: true,
      generation: null,
      install_root: null,
      quarantine: null,
    };
  }
  const report = given(state, "canaryReport");
  return {
    ok: report.ok,
    ...told,
    status: statusAfter(report),
    dry_run: false,
    generation: given(state, "generation"),
    install_root: given(state, "binding").installRoot,
    quarantine: report.ok ? null : { code: report.code ?? "CANARY_FAILED", reason: report.reason ?? "" },
  };
}
