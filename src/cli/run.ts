import { exitCodes } from "../base/error-codes.ts";
import { OutputError } from "../base/errors.ts";
import type { World } from "./context.ts";
import { FailedCall } from "./failed-call.ts";
import { findCommand } from "./find-command.ts";
import { wishesOf } from "./flag-words.ts";
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
    return await report(error, words, world).catch((lost: unknown) => lostOutput(lost, world));
  }
}

async function report(thrown: unknown, words: readonly string[], world: World): Promise<number> {
  const [error, context] =
    thrown instanceof FailedCall ? [thrown.cause, thrown.context] : [thrown, undefined];
  if (error instanceof OutputError) return lostOutput(error, world);
  const { terminal } = await world.openHost("warn");
  const { reportFailure, reportStop } = await import("./report.ts");
  const wishes = wishesOf(words);
  const stopped = world.stoppedBy();
  if (stopped !== undefined) return reportStop(stopped, wishes.json, terminal);
  return reportFailure(error, wishes, terminal, context);
}

/** The one failure that cannot be told on stdout. */
async function lostOutput(error: unknown, world: World): Promise<number> {
  if (!(error instanceof OutputError)) throw error;
  (await world.openHost("warn")).terminal.err(`gum: error: ${error.message}\n`);
  return exitCodes.unexpected;
}

async function dispatch(words: readonly string[], world: World): Promise<number> {
  const found = findCommand(words, routes);
  if (found.kind === "command") {
    const command = await found.load();
    const ended = await command.execute(found.words, world, routes);
    if (ended !== "help") return ended;
    const { commandHelp } = await import("./usage.ts");
    await tellHelp({ topic: command.name }, commandHelp(command), words, world);
    return exitCodes.ok;
  }
  const { groupHelp, overview } = await import("./usage.ts");
  if (found.kind === "none") {
    const { helpTopics } = await import("../kernel/help.ts");
    await tellHelp({ topics: helpTopics() }, await overview(routes), words, world);
    return exitCodes.ok;
  }
  const { name, group } = found;
  const text = await groupHelp(name, group);
  if (found.words.some((word) => word === "--help" || word === "-h")) {
    await tellHelp({ topic: name }, text, words, world);
    return exitCodes.ok;
  }
  if (wishesOf(words).json) {
    throw usage(name, `"gum ${name}" needs one of ${Object.keys(group.verbs).join(", ")}`);
  }
  (await world.openHost("warn")).terminal.err(text);
  return exitCodes.usage;
}

/** The same as `gum help` answers for it. */
async function tellHelp(
  about: { readonly topic: string } | { readonly topics: readonly string[] },
  text: string,
  words: readonly string[],
  world: World,
): Promise<void> {
  const { terminal } = await world.openHost("warn");
  terminal.out(wishesOf(words).json ? `${JSON.stringify({ ...about, text })}\n` : text);
}
