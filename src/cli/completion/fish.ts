import type { Place } from "./facts.ts";

/** A script for fish: words and flags with their summaries. */
export function fishScript(places: readonly Place[]): string {
  const groups = places.filter(({ path }) => path !== "" && !path.includes(" ")).map(({ path }) => path);
  const lines = places.flatMap((place) => {
    const condition = conditionOf(
      place.path,
      groups,
      place.words.map(({ word }) => word),
    );
    return [
      ...place.words.map(
        ({ word, summary }) => `complete -c gum -n ${condition} -f -a ${quote(word)} -d ${quote(summary)}`,
      ),
      ...place.flags.map(({ word, summary, values, takesValue }) => {
        const value = takesValue
          ? ` -r${values.length === 0 ? "" : ` -f -a ${quote(values.join(" "))}`}`
          : "";
        return `complete -c gum -n ${condition} -l ${word.slice(2)}${value} -d ${quote(summary)}`;
      }),
    ];
  });
  return `# fish completion for gum; save it as gum.fish in fish's completions folder\n${lines.join("\n")}\n`;
}

function conditionOf(path: string, groups: readonly string[], words: readonly string[]): string {
  const [group, verb] = path.split(" ");
  if (group === undefined || group === "")
    return quote(`not __fish_seen_subcommand_from ${groups.join(" ")}`);
  if (verb !== undefined) {
    return quote(`__fish_seen_subcommand_from ${group}; and __fish_seen_subcommand_from ${verb}`);
  }
  const without = words.length === 0 ? "" : `; and not __fish_seen_subcommand_from ${words.join(" ")}`;
  return quote(`__fish_seen_subcommand_from ${group}${without}`);
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
