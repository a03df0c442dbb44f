// One token of a pattern that cannot backtrack badly: an anchor, a class, an escape or a plain character, and how often.
const token =
  /(?:[\^$]|(?<atom>\[(?:\\[dwsDWS\-\]\\^./tnr]|[^\]\\[])+\]|\\[dwsDWS.^$*+?()[\]{}|/\\tnr-]|[^\\^$*+?()[\]{}|]))(?<times>[*+?]|\{\d{1,2}(?:,\d{0,2})?\})?/uy;

/** True for patterns without groups, alternatives and look-around in which at most one part has a variable length. */
export function isSafePattern(pattern: string): boolean {
  if (pattern.length > 500) return false;
  let variable = 0;
  token.lastIndex = 0;
  while (token.lastIndex < pattern.length) {
    const found = token.exec(pattern);
    if (found === null || (found.groups?.atom === undefined && found.groups?.times !== undefined))
      return false;
    const times = found.groups?.times;
    if (times !== undefined && !/^\{\d+\}$/.test(times)) variable++;
  }
  return variable <= 1 && isPattern(pattern);
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
