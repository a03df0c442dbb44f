/** A pipeline text with one change, named by what was done. */
export interface TextMutant {
  readonly name: string;
  readonly text: string;
}

/** Every text with one step deleted, and every text with two neighbours swapped; the rest stays as written. */
export function mutantsOf(text: string): TextMutant[] {
  const { head, blocks } = splitSteps(text);
  const join = (steps: readonly string[]): string => head + steps.join("");
  const deleted = blocks.map((block, index) => ({
    name: `without ${nameOf(block)}`,
    text: join(blocks.toSpliced(index, 1)),
  }));
  const swapped = blocks.slice(1).map((block, index) => {
    const before = blocks[index] ?? "";
    return {
      name: `${nameOf(block)} before ${nameOf(before)}`,
      text: join(blocks.toSpliced(index, 2, block, before)),
    };
  });
  return [...deleted, ...swapped];
}

/** The text with one step taken out and put directly before another. */
export function moveBefore(text: string, step: string, other: string): string {
  const { head, blocks } = splitSteps(text);
  const rest = blocks.filter((block) => nameOf(block) !== step);
  const moved = blocks.filter((block) => nameOf(block) === step);
  const index = rest.findIndex((block) => nameOf(block) === other);
  return head + rest.toSpliced(index, 0, ...moved).join("");
}

/** The names of the steps in a text, in their order. */
export function stepNames(text: string): string[] {
  return splitSteps(text).blocks.map(nameOf);
}

/** The lines above the steps, and each step with the lines that belong to it. */
function splitSteps(text: string): { head: string; blocks: string[] } {
  const [head = "", ...blocks] = text.split(/^(?= {2}- step:)/m);
  return { head, blocks };
}

function nameOf(block: string): string {
  return /^ {2}- step: (\S+)/.exec(block)?.[1] ?? "";
}
