// Appends audit rows in a loop, as one of several processes.
import { createHost } from "../../src/host/real.ts";
import { appendAudit } from "../../src/registry/audit.ts";

const [dataDir = "", who = "", count = "1"] = process.argv.slice(2);
const host = createHost({ logLevel: "silent" });
for (let at = 0; at < Number(count); at++) {
  const event = { event: "test", outcome: "ok" as const, details: { who, at } };
  await appendAudit(host, { name: "test", dataDir }, event, { rotateBytes: 4096 });
}
