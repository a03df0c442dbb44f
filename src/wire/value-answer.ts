import type { Answer } from "../model/session.ts";
import { readAnswer } from "./answer.ts";

/** A member of an answer: its value, and how the plugin wrote it. */
export interface Written {
  readonly value: unknown;
  readonly text: string;
}

/**
 * The answer of a wire whose results are plain JSON. A result that is itself an envelope is read as one (W8), any other
 * is wrapped in one; either way long numbers keep their digits.
 */
export function valueAnswer(result: Written, metadata?: Written): Answer {
  const answer = readAnswer({ structuredContent: result.value });
  if (!answer.ok) return answer;
  const wrapped = answer.payload.data === result.value;
  if (!wrapped) return { ok: true, payload: answer.payload, text: result.text };
  if (metadata === undefined) {
    return { ok: true, payload: answer.payload, text: `{"success":true,"data":${result.text}}` };
  }
  return {
    ok: true,
    payload: { ...answer.payload, metadata: metadata.value },
    text: `{"success":true,"data":${result.text},"metadata":${metadata.text}}`,
  };
}
