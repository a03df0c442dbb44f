import { allCommands, type Command, type Routes } from "../command.ts";
import type { Flag } from "../flags.ts";
import { globalFlags } from "../flags.ts";
import { shownName } from "../parse.ts";

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
export async function completionFacts(routes: Routes): Promise<Place[]> {
  const commands = await allCommands(routes);
  const globals = Object.entries(globalFlags).map(flagWord);
  const summaryOf = (path: string): string => commands.find(({ name }) => name === path)?.summary ?? "";
  const groups: Place[] = [];
  const top: Word[] = [];
  for (const [word, route] of Object.entries(routes)) {
    if (typeof route === "function") top.push({ word, summary: summaryOf(word) });
    else {
      top.push({ word, summary: route.summary });
      const words = Object.keys(route.verbs).map((verb) => ({
        word: verb,
        summary: summaryOf(`${word} ${verb}`),
      }));
      groups.push({ path: word, words, flags: globals });
    }
  }
  return [
    { path: "", words: top, flags: globals },
    ...groups,
    ...(await Promise.all(commands.map(commandPlace))),
  ];
}

async function commandPlace({ name, args, flags }: Command): Promise<Place> {
  const known = await Promise.all(
    Object.values(args).map(async ({ choices, offers }) => choices ?? (await offers?.()) ?? []),
  );
  return {
    path: name,
    words: [...new Set(known.flat())].map((word) => ({ word, summary: "" })),
    flags: Object.entries({ ...globalFlags, ...flags }).map(flagWord),
  };
}

function flagWord([name, flag]: readonly [string, Flag]): Place["flags"][number] {
  return {
    word: shownName(name, flag),
    summary: flag.summary,
    values: flag.kind === "choice" ? flag.choices : [],
    takesValue: flag.kind !== "switch" && !(flag.kind === "choice" && flag.bare !== undefined),
  };
}
