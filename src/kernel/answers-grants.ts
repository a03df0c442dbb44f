import type { Grants } from "../model/registry.ts";

/** What a plugin may use beyond its manifest, after a change. */
export interface GrantsAnswer {
  readonly ok: true;
  readonly plugin: string;
  readonly changed: boolean;
  readonly granted: Grants;
  readonly generation: number;
}
