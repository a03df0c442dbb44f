// T31: text that speaks to the model instead of describing a tool. No list of phrases is complete; this one holds what
// attacks on tool descriptions have used, and is kept narrow enough that ordinary descriptions pass.

const phrases: readonly (readonly [what: string, pattern: RegExp])[] = [
  [
    "tells to ignore instructions",
    /\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:instructions?|prompts?|guidelines|system messages?)\b/i,
  ],
  ["gives a new role", /\byou are (?:now|no longer)\b|\bact as (?:an?|the) (?:assistant|agent|ai|system)\b/i],
  [
    "hides something from the user",
    /\b(?:do not|don't|never|without)\b.{0,20}\b(?:tell|telling|mention|mentioning|inform|informing|reveal|revealing|show|showing|notify|notifying|ask|asking)\b.{0,20}\b(?:user|human|anyone|anybody)\b/i,
  ],
  [
    "hides something from the user",
    /\b(?:tell|mention|inform|reveal|show|notify)\b.{0,12}\b(?:nothing|nobody|no one)\b/i,
  ],
  [
    "orders other tools around",
    /\b(?:before|instead of|rather than) (?:using |calling |invoking |running )?(?:this|any|every|all|the) (?:other )?tools?\b/i,
  ],
  [
    "orders other tools around",
    /\b(?:other|another|any|all) tools? (?:must|should|may|can) ?not\b|\bmust not (?:use|call|invoke) (?:any )?other tools?\b/i,
  ],
  ["marks itself as an order", /<\s*\/?\s*(?:important|system|instructions?|secret|admin|override)\s*>/i],
  ["imitates a chat template", /<\|[a-z_]+\|>|\[\/?INST\]|^\s*(?:system|assistant)\s*:/im],
  [
    "asks for private files",
    /~\/\.(?:ssh|aws|gnupg|config|kube|netrc|docker|cursor|claude)\b|\bid_(?:rsa|ed25519|ecdsa)\b|\/etc\/(?:passwd|shadow)\b/i,
  ],
];

/** What in the text speaks to the model; undefined when nothing does. */
export function findInstruction(text: string): string | undefined {
  return phrases.find(([, pattern]) => pattern.test(text))?.[0];
}
