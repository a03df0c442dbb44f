import type { ConfigView } from "../kernel/answers-trust.ts";

/** A value as `gum config set` takes it; nothing for what is unset, stars for what is never shown. */
export function configText({
  value,
  secret,
  origin,
}: Pick<ConfigView, "value" | "secret" | "origin">): string {
  if (secret) return origin === "default" ? "" : "***";
  if (value === null) return "";
  return typeof value === "object" ? value.join(",") : String(value);
}
