// M25: what a plugin may need set up before it works.

/** Collected by `gum plugin setup` and kept in the keychain. */
export const secretComponents = [
  "developer_token",
  "oauth_client_id",
  "oauth_client_secret",
  "refresh_token",
  "api_key",
  "session",
  "google_access_token",
] as const;

/** Shown as a checklist: gum cannot complete them. */
export const externalComponents = [
  "customer_id",
  "login_customer_id",
  "billing_account",
  "access_level",
  "allowlist",
  "account_permission",
] as const;

/** External ones that name an account: their values are collected, and a compound plugin's canary uses them (C13). */
export const accountComponents: ReadonlySet<string> = new Set([
  "customer_id",
  "login_customer_id",
  "billing_account",
]);

/** The variable that carries a forwarded Google access token (T18). */
export const googleTokenVariable = "GOOGLE_ACCESS_TOKEN";
