import { type Context, createContext, type World } from "./context.ts";
import { FailedCall } from "./failed-call.ts";
import { type FlagTable, type FlagValues, type GlobalFlags, globalFlags } from "./flags.ts";
import { parse } from "./parse.ts";

/** A word after the command. `rest` takes all that are left. */
export interface Argument {
  readonly summary: string;
  readonly take?: "optional" | "rest";
  /** What it may be, where that is a closed set. */
  readonly choices?: readonly string[];
  /** What a shell may offer for it, where it is no closed set but has known names. */
  readonly offers?: () => Promise<readonly string[]>;
}
export type ArgumentTable = Readonly<Record<string, Argument>>;

export type ArgumentValue<A extends Argument> = A extends { readonly take: "rest" }
  ? readonly string[]
  : A extends { readonly take: "optional" }
    ? string | undefined
    : A extends { readonly choices: readonly (infer C)[] }
      ? C
      : string;
export type ArgumentValues<T extends ArgumentTable> = { readonly [K in keyof T]: ArgumentValue<T[K]> };

/** What every command says about itself; help, completion and the manual are made from it. */
export interface CommandFacts {
  /** The words after `gum`, such as `plugin install`. */
  readonly name: string;
  readonly summary: string;
  /** Command lines that work as they stand. */
  readonly examples: readonly string[];
  readonly args: ArgumentTable;
  /** Without the global ones. */
  readonly flags: FlagTable;
}

export interface Command extends CommandFacts {
  /** Parses the words that follow the command and runs it: the exit code, or that its help was asked for. */
  execute(words: readonly string[], world: World, routes: Routes): Promise<number | "help">;
}

/** Loads a command's code when it is asked for. */
export type Load = () => Promise<Command>;

/** Commands that share their first word. */
export interface Group {
  readonly summary: string;
  readonly verbs: Readonly<Record<string, Load>>;
}
export type Routes = Readonly<Record<string, Load | Group>>;

/** Every command, loaded, in the order of the table. */
export async function allCommands(routes: Routes): Promise<Command[]> {
  const loads = Object.values(routes).flatMap((route) =>
    typeof route === "function" ? [route] : Object.values(route.verbs),
  );
  return Promise.all(loads.map((load) => load()));
}

export interface Input<A extends ArgumentTable, F extends FlagTable> {
  readonly args: ArgumentValues<A>;
  readonly flags: FlagValues<Omit<GlobalFlags, keyof F> & F>;
}

interface Definition<A extends ArgumentTable, F extends FlagTable> extends CommandFacts {
  readonly args: A;
  readonly flags: F;
  /** The exit code; nothing means 0. */
  run(input: Input<A, F>, context: Context): Promise<number | undefined>;
}

/** Makes a command whose `run` is checked against its own tables of arguments and flags. */
export function defineCommand<const A extends ArgumentTable, const F extends FlagTable>(
  definition: Definition<A, F>,
): Command {
  const { name, summary, examples, args, flags } = definition;
  return {
    name,
    summary,
    examples,
    args,
    flags,
    async execute(words, world, routes) {
      const input = parse<A, Omit<GlobalFlags, keyof F> & F>(name, args, { ...globalFlags, ...flags }, words);
      if (input.help) return "help";
      try {
        return (await definition.run(input.values, createContext(input.globals, world, routes))) ?? 0;
      } catch (error) {
        throw aboutArguments(error, input.values.args);
      }
    },
  };
}

/** What a command was asked about, so that hints can name it. */
function aboutArguments(error: unknown, args: Readonly<Record<string, unknown>>): unknown {
  const { id, op } = args;
  const plugin = typeof id === "string" ? id : undefined;
  const opId = typeof op === "string" ? op : undefined;
  if (error instanceof FailedCall || (plugin === undefined && opId === undefined)) return error;
  return new FailedCall(error, { asked: { plugin, op_id: opId } });
}
