// How a query and the text of an operation become words. Both sides go through the same function, so that
// `listFiles`, `list_files` and "list the files" meet.

const stopWords = new Set(
  "a an and any are as at be by for from how i in into is it me my of on or so that the this to via what with you your".split(
    " ",
  ),
);

/** Words that people and authors use for the same thing, by their stems. */
const sameAs: ReadonlyMap<string, string> = new Map([
  ["folder", "directory"],
  ["dir", "directory"],
  ["make", "create"],
  ["save", "write"],
  ["store", "write"],
  ["remove", "delete"],
  ["erase", "delete"],
  ["repo", "repository"],
  ["picture", "image"],
  ["photo", "image"],
  ["doc", "documentation"],
  ["db", "database"],
  ["k8s", "kubernetes"],
]);

/** The words of a text, lower-case, without endings that say only how many or when. */
export function wordsOf(text: string): string[] {
  return text
    .normalize("NFKC")
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !stopWords.has(word))
    .map(stem)
    .map((word) => sameAs.get(word) ?? word);
}

/** Takes common English endings off: files → file, searching → search, queries → query. */
export function stem(word: string): string {
  if (word.length <= 3) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(ss|us|is)$/.test(word)) return word;
  if (/(ches|shes|xes|sses|zes)$/.test(word)) return word.slice(0, -2);
  if (word.endsWith("ing") && word.length > 5) return undouble(word.slice(0, -3));
  if (word.endsWith("ed") && word.length > 4) return undouble(word.slice(0, -2));
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

/** running → runn → run, but call stays call. */
function undouble(word: string): string {
  return /([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}
