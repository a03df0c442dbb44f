import type { Rules } from "../pipeline/load.ts";
import { contracts } from "../steps/contracts.ts";
import { predicates } from "../steps/predicates.ts";
import { steps } from "../steps/table.ts";

/** What every pipeline file is checked against. */
export const rules: Rules = { steps, predicates, contracts };
