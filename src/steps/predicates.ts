import type { PredicateTable } from "../pipeline/step.ts";

/** The conditions that `when` may name. A closed set: a pipeline file holds no expressions. */
export const predicates = {
  "is-dev-profile": {
    summary: "the profile is a dev profile",
    needs: ["profile"],
    test: ({ profile }) => profile?.isDev === true,
  },
  "not-cached": {
    summary: "no remembered answer stands in for the plugin",
    needs: ["cached"],
    test: ({ cached }) => cached?.use !== "hit",
  },
  "not-a-folder": {
    summary: "the source is an archive, an address or a repository",
    needs: ["source"],
    test: ({ source }) => source?.kind !== "folder",
  },
  "needs-environment": {
    summary: "the program is a script of pyproject.toml, which an environment has to provide",
    needs: ["executableFound"],
    test: ({ executableFound }) => executableFound !== "file",
  },
} as const satisfies PredicateTable;
