// What gum's hidden subcommand does: the checking child as a program of its own.
import { serveSchemaChecks } from "../../src/wire/schema-child.ts";

await serveSchemaChecks(process.stdin, process.stdout);
