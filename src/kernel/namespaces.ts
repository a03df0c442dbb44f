import { asGumError } from "../base/errors.ts";
import type { Registry } from "../model/registry.ts";
import { appendAudit } from "../registry/audit.ts";
import { publish } from "../registry/generations.ts";
import { releaseNamespace, transferNamespace } from "../registry/namespaces.ts";
import type { TransferAnswer } from "./answers-trust.ts";
import type { Kernel } from "./kernel.ts";

/** Gives a claimed prefix to another owner, or frees it when there is none; the change is written down (T4). */
export async function transfer(
  kernel: Kernel,
  prefix: string,
  newOwner: string | null,
): Promise<TransferAnswer> {
  const { host, profile, signal } = kernel;
  const event = newOwner === null ? "namespace.release" : "namespace.transfer";
  let from = "";
  try {
    const { generation } = await publish(
      host,
      profile,
      (registry, { now }) => {
        from = ownerOf(registry, prefix);
        return newOwner === null
          ? releaseNamespace(registry, prefix, now)
          : transferNamespace(registry, prefix, newOwner, now);
      },
      { command: `plugin transfer-namespace ${prefix}`, signal },
    );
    await appendAudit(host, profile, {
      event,
      outcome: "ok",
      profile: profile.name,
      generation,
      details: { prefix, from, to: newOwner },
    });
    return { ok: true, prefix, from, to: newOwner, generation };
  } catch (thrown) {
    const { code } = asGumError(thrown);
    if (code !== "REGISTRY_IO") {
      const details = { prefix, to: newOwner };
      await appendAudit(host, profile, { event, outcome: "refused", profile: profile.name, code, details });
    }
    throw thrown;
  }
}

function ownerOf({ lock }: Registry, prefix: string): string {
  return lock.namespaces.find((row) => row.prefix === prefix)?.namespace_owner ?? "";
}
