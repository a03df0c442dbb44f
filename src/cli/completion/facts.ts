import type { Flag } from "../flags.ts";
import { globalFlags } from "../flags.ts";
import { shownName } from "../parse.ts";
import { allCommands, groupSummaries, routes } from "../routes.ts";

/** What a shell is told about one word it may offer. */
export interface Word {
  readonly word: string;
  readonly summary: string;
}

/** What may follow the words of `path`; the empty path is `gum` itself. */
export interface Place {
  readonly path: string;
  readonly words: readonly Word[];
  readonly flags: readonly (Word & { readonly values: readonly string[]; readonly takesValue: boolean })[];
}

/** Every place of the command line, groups before their commands. */
export async function completionFacts(): Promise<Place[]> {
  const commands = await allCommands();
  const globals = Object.entries(globalFlags).map(flagWord);
  const summaryOf = (path: string): string =>
    groupSummaries[path] ?? commands.find(({ name }) => name === path)?.summary ?? "";
  const groups = Object.entries(routes).flatMap(([group, route]) => {
    if (typeof route === "function") return [];
    const words = Object.keys(route).map((verb) => ({ word: verb, summary: summaryOf(`${group} ${verb}`) }));
    return [{ path: group, words, flags: globals }];
  });
  const top = Object.keys(routes).map((word) => ({ word, summary: summaryOf(word) }));
  return [
    { path: "", words: top, flags: globals },
    ...groups,
    ...commands.map(({ name, args, flags }) => ({
      path: name,
      words: Object.values(args).flatMap(({ choices = [] }) =>
        choices.map((word) => ({ word, summary: "" })),
      ),
      flags: Object.entries({ ...globalFlags, ...flags }).map(flagWord),
    })),
  ];
}

function flagWord([name, flag]: readonly [string, Flag]): Place["flags"][number] {
  return {
    word: shownName(name, flag),
    summary: flag.summary,
    values: flag.kind === "choice" ? flag.choices : [],
    takesValue: flag.kind !== "switch" && !(flag.kind === "choice" && flag.bare !== undefined),
  };
}
