import { riskCommand } from "../op-call.ts";

export const read = riskCommand("read", "Call an operation that reads: gum call --risk=read.", [
  "gum read plug.hello.greet name=Ada",
  "gum read flights.search @query.json --meta --no-cache",
]);
