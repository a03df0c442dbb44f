import type { Place } from "./facts.ts";

/** A script for bash: words and flags by the words before, files where nothing is known. */
export function bashScript(places: readonly Place[]): string {
  const cases = places.map(({ path, words, flags }) => {
    const all = [...words, ...flags].map(({ word }) => word).join(" ");
    return `    ${path === "" ? '""' : `"${path}"*`}) words="${all}" ;;`;
  });
  // The longest path first: "plugin install" also begins with "plugin".
  const ordered = cases.toReversed();
  return `# bash completion for gum; load it with: source <(gum completion bash)
_gum() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" path="" words="" i
  if [[ "$current" == "=" ]]; then
    current=""
  elif [[ "$before" == "=" ]]; then
    before="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  case "$before" in
${valueCases(places)}
  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in
      ${valueFlags(places).join("|")}) [[ "\${COMP_WORDS[i + 1]}" == "=" ]] && ((i++)); ((i++)) ;;
      -*) ;;
      *) path="\${path:+$path }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$path" in
${ordered.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _gum gum
`;
}

function valueFlags(places: readonly Place[]): string[] {
  const flags = places.flatMap((place) => place.flags).filter(({ takesValue }) => takesValue);
  return [...new Set(flags.map(({ word }) => word))];
}

/** After a flag that takes a value only its values are offered. */
function valueCases(places: readonly Place[]): string {
  const flags = places.flatMap((place) => place.flags).filter(({ takesValue }) => takesValue);
  const byWord = new Map<string, Set<string>>();
  for (const { word, values } of flags) {
    const known = byWord.get(word) ?? new Set();
    byWord.set(word, new Set([...known, ...values]));
  }
  return [...byWord]
    .map(([word, values]) => {
      const reply =
        values.size === 0 ? "" : `COMPREPLY=($(compgen -W "${[...values].join(" ")}" -- "$current")); `;
      return `    ${word}) ${reply}return ;;`;
    })
    .join("\n");
}
