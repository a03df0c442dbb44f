import { riskCommand } from "../op-call.ts";

export const destructive = riskCommand(
  "destructive",
  "Call an operation that destroys: gum call --risk=destructive, in two calls.",
  ["gum destructive plug.notes.wipe", "gum destructive plug.notes.wipe --token TOKEN"],
);
