import type { PredicateTable } from "../pipeline/step.ts";

/** The conditions that `when` may name. A closed set: a pipeline file holds no expressions. */
export const predicates = {
  "is-dev-profile": {
    summary: "the profile is a dev profile",
    needs: ["profile"],
    test: ({ profile }) => profile?.isDev === true,
  },
} as const satisfies PredicateTable;
