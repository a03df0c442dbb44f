// Makes every escape attempt as whoever runs it and prints the results as JSON.
import { createHost } from "../../src/host/real.ts";
import { runEscapeAttempts } from "../../src/sandbox/run-attempts.ts";

console.log(JSON.stringify(await runEscapeAttempts(createHost())));
process.exit(0);
