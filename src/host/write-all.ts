import { writeSync } from "node:fs";
import { isErrno, OutputError } from "../base/errors.ts";

/** Writes a text to standard output and returns when all of it is out; a reader that has gone is no fault. */
export function writeOut(text: string): void {
  try {
    writeAll(1, text);
  } catch (error) {
    if (!isErrno(error, "EPIPE")) throw new OutputError(error);
  }
}

/** Writes a text to standard error, as far as it can be written: of a fault there nobody could be told. */
export function writeErr(text: string): void {
  try {
    writeAll(2, text);
  } catch {
    // stderr is where faults are told
  }
}

function writeAll(fd: number, text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(fd, bytes, done, bytes.length - done);
    } catch (error) {
      if (!isErrno(error, "EAGAIN")) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1); // a slow reader of a non-blocking pipe
    }
  }
}
