import { isErrno, OutputError } from "../base/errors.ts";

/**
 * One line on standard output, the cheapest way that tells when it fails: node:fs alone costs a millisecond, more than
 * `gum version` has to spare, and console.log loses the line silently.
 */
export async function printLine(line: string): Promise<void> {
  if (!("Bun" in globalThis)) {
    const { writeOut } = await import("./write-all.ts");
    writeOut(`${line}\n`);
    return;
  }
  try {
    await Bun.write(Bun.stdout, `${line}\n`);
  } catch (error) {
    if (!isErrno(error, "EPIPE")) throw new OutputError(error);
  }
}
