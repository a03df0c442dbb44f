import { riskCommand } from "../op-call.ts";

export const write = riskCommand("write", "Call an operation that writes: gum call --risk=write.", [
  "gum write plug.notes.append text=milk",
  "gum write plug.notes.replace @note.json --token TOKEN",
]);
