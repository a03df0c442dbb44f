import type { Child, Host } from "../host/host.ts";

/** The word that makes gum the program which checks values against schemas; see main.ts. */
export const schemaChildWord = "__schema-checks";

/** Starts gum itself as the program which checks values against schemas that are not plain. */
export function startSchemaChild({
  processes,
  machine,
}: Pick<Host, "processes" | "machine">): Promise<Child> {
  return processes.spawn({
    file: machine.self.file,
    args: [...machine.self.args, schemaChildWord],
    env: {},
    cwd: "/",
    stdio: ["pipe", "pipe", "ignore"],
  });
}
