import { exitCodes } from "../base/error-codes.ts";
import type { World } from "./context.ts";
import { findCommand } from "./find-command.ts";
import { usage } from "./parse.ts";
import { routes } from "./routes.ts";

/** Runs one command line and answers the exit code; nothing is ever thrown. */
export async function runCli(words: readonly string[], world: World): Promise<number> {
  const code = await runReported(words[0] === "--version" ? ["version", ...words.slice(1)] : words, world);
  const stopped = code === exitCodes.ok ? undefined : world.stoppedBy();
  return stopped === undefined ? code : exitCodes[stopped];
}

async function runReported(words: readonly string[], world: World): Promise<number> {
  try {
    return await dispatch(words, world);
  } catch (error) {
    const { terminal } = await world.openHost("warn");
    const stopped = world.stoppedBy();
    if (stopped !== undefined) {
      terminal.err(`gum: ${stopped}\n`);
      return exitCodes[stopped];
    }
    const { reportFailure, wishesOf } = await import("./report.ts");
    return reportFailure(error, wishesOf(words), terminal);
  }
}

async function dispatch(words: readonly string[], world: World): Promise<number> {
  const found = findCommand(words, routes);
  if (found.kind === "command") {
    const command = await found.load();
    const ended = await command.execute(found.words, world, routes);
    if (ended !== "help") return ended;
    const { commandHelp } = await import("./usage.ts");
    (await world.openHost("warn")).terminal.out(commandHelp(command));
    return exitCodes.ok;
  }
  const { terminal } = await world.openHost("warn");
  const { groupHelp, overview } = await import("./usage.ts");
  if (found.kind === "none") {
    terminal.out(await overview(routes));
    return exitCodes.ok;
  }
  const { name, group } = found;
  const asked = found.words.some((word) => word === "--help" || word === "-h");
  if (asked) terminal.out(await groupHelp(name, group));
  else if (found.words.includes("--json")) {
    throw usage(name, `"gum ${name}" needs one of ${Object.keys(group.verbs).join(", ")}`);
  } else terminal.err(await groupHelp(name, group));
  return asked ? exitCodes.ok : exitCodes.usage;
}
