import { usage } from "./parse.ts";

/** A whole number from 1 on, as it is written after a flag or as an argument. */
export function readWholeNumber(command: string, what: string, text: string): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (number > 0) return number;
  throw usage(command, `${what} is a whole number from 1 on, not "${text}"`);
}
