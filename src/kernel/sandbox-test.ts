import { type AttemptResult, runEscapeAttempts } from "../sandbox/run-attempts.ts";
import type { Kernel } from "./kernel.ts";

/** What was tried, how it went without and with the sandbox, and what that proves. */
export type EscapeAttempt = Omit<AttemptResult, "needsAbi"> & { readonly needs_landlock_abi: number | null };

/** Tries on this machine everything that the sandbox is to refuse, each beside a control without it. */
export async function testSandbox(kernel: Kernel): Promise<EscapeAttempt[]> {
  const results = await runEscapeAttempts(kernel.host);
  return results.map(({ needsAbi, ...result }) => ({ ...result, needs_landlock_abi: needsAbi ?? null }));
}

/** Whether something got out that this kernel's sandbox is to keep in. */
export function hasEscaped(attempts: readonly EscapeAttempt[]): boolean {
  return attempts.some(
    ({ verdict, needs_landlock_abi }) => verdict === "open" && needs_landlock_abi === null,
  );
}
