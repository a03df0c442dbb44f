import { SecretLine } from "./secret-line.ts";

const pastesMarked = "\u001b[?2004h";
const pastesPlain = "\u001b[?2004l";

/** What was typed ahead of the next question. */
let typedAhead = "";

/** Asks on the terminal with its echo off. Ctrl-C is the signal that it always is; the terminal is itself again by then. */
export async function askSecret(
  question: string,
  write: (text: string) => void,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  signal?.throwIfAborted();
  const { stdin } = process;
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  const line = new SecretLine();
  const decoder = new TextDecoder();
  const take = (text: string): void => {
    const keys = line.feed(text);
    if (keys.kind === "line") {
      typedAhead = keys.rest;
      resolve(keys.value);
    } else if (keys.kind === "end") resolve(undefined);
    else if (keys.kind === "interrupt") reject(interrupted);
  };
  const onData = (block: Uint8Array | string): void =>
    take(typeof block === "string" ? block : decoder.decode(block, { stream: true }));
  const onEnd = (): void => resolve(undefined);
  const stop = (): void => reject(signal?.reason);
  stdin.setRawMode(true);
  write(`${pastesMarked}${question}`);
  signal?.addEventListener("abort", stop, { once: true });
  stdin.on("data", onData);
  stdin.once("end", onEnd);
  stdin.resume();
  const early = typedAhead;
  typedAhead = "";
  take(early);
  try {
    return await promise;
  } catch (error) {
    if (error !== interrupted) throw error;
    restore();
    return await interrupt(signal);
  } finally {
    restore();
  }

  function restore(): void {
    if (!stdin.isRaw) return;
    stdin.removeListener("data", onData);
    stdin.removeListener("end", onEnd);
    signal?.removeEventListener("abort", stop);
    stdin.pause();
    stdin.setRawMode(false);
    write(`${pastesPlain}\n`);
  }
}

const interrupted = Symbol("Ctrl-C");

/** In raw mode the terminal sends no signal for Ctrl-C, so gum sends it to itself. */
async function interrupt(signal: AbortSignal | undefined): Promise<never> {
  process.kill(process.pid, "SIGINT");
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
