import type { Registry } from "./registry.ts";
import type { ResolvedSchema } from "./schema-bundle.ts";

/** What a transaction tells the change that it carries out. */
export interface Transaction {
  readonly generation: number;
  readonly txid: string;
  /** RFC 3339. */
  readonly now: string;
}

/** Makes the next generation from the current one; throws to leave everything as it is. */
export type RegistryChange = (current: Registry, transaction: Transaction) => Registry;

/** The generation that a rollback goes back to, and what it says. */
export interface RollbackTarget {
  readonly to: number;
  readonly registry: Registry;
}

/** A change of the registry with what it takes to carry it out. */
export interface RegistryUpdate {
  /** What the user ran, such as `plugin install fli`. */
  readonly command: string;
  readonly change: RegistryChange;
  /** Schemas that the new generation needs; they are stored inside the transaction. */
  readonly schemas: readonly ResolvedSchema[];
}
