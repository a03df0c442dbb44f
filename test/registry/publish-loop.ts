// Publishes `count` times in a loop, as one of several processes: each time one plugin more.
import { createHost } from "../../src/host/real.ts";
import { publish } from "../../src/registry/generations.ts";
import { adding } from "./support.ts";

const [dataDir = "", who = "", count = "1", keep = "10000"] = process.argv.slice(2);
const host = createHost({ logLevel: "silent" });
const home = { name: "test", dataDir };
for (let at = 0; at < Number(count); at++) {
  const { generation } = await publish(host, home, adding(`p${who}-${at}`), {
    command: `loop ${who}`,
    keep: Number(keep),
  });
  console.log(generation);
}
