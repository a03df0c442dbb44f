// Asks this machine's keychain as gum does, under whatever runtime starts this: a JSON array per line, an answer per line.
import process from "node:process";
import { createInterface } from "node:readline";
import { createHost } from "../../src/host/real.ts";

const { keychain } = createHost();
const lines = createInterface({ input: process.stdin });
console.log(JSON.stringify({ name: keychain.name, absence: keychain.absence ?? null }));
for await (const line of lines) {
  const [verb, service, account, value] = JSON.parse(line) as string[];
  try {
    const answer =
      verb === "set"
        ? await keychain.set(service ?? "", account ?? "", value ?? "")
        : await keychain[verb === "get" ? "get" : "delete"](service ?? "", account ?? "");
    console.log(JSON.stringify({ answer: answer ?? null }));
  } catch (error) {
    console.log(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }));
  }
}
