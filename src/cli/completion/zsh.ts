import type { Place } from "./facts.ts";

/** A script for zsh: words and flags with their summaries, files where nothing is known. */
export function zshScript(places: readonly Place[]): string {
  const cases = places
    .map(({ path, words, flags }) => {
      const entries = [...words, ...flags].map(({ word, summary }) =>
        quote(`${word.replaceAll(":", "\\:")}:${summary}`),
      );
      const pattern = path === "" ? '""' : `"${path}"*`;
      return `    ${pattern}) offers=(${entries.join(" ")}) ;;`;
    })
    .toReversed();
  return `#compdef gum
# zsh completion for gum; put it as _gum into a folder of $fpath
_gum() {
  local -a offers
  local taken="" i
  for ((i = 2; i < CURRENT; i++)); do
    [[ "$words[i]" == -* ]] || taken="\${taken:+$taken }$words[i]"
  done
  case "$taken" in
${cases.join("\n")}
  esac
  _describe -t commands gum offers
  _files
}
compdef _gum gum
`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
