/** The rule ids that a test's title starts with: `T13 T14 a denied name …` cites two. */
export function citedRules(title: string): string[] {
  const [head] = /^(?:[A-Z]\d{1,2}(?:,? |$))+/.exec(title) ?? [""];
  return head.split(/,? /).filter(Boolean);
}
