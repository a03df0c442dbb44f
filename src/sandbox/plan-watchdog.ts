// The watchdog outlives everything: it waits for the end of the lifeline, which gum holds open, and then kills the
// whole process group. So the tree dies with gum however gum ends. It is forked twice, so that the plugin has no
// child that it does not know of, and before Landlock, so that the plugin cannot signal it.
import { type Row, scratch, words } from "../host/native/row.ts";
import { descriptors } from "./plan-descriptors.ts";

const childSignal = 17;
const killSignal = 9;
const wholeGroup = 0;

/** Forks the watchdog; a listener stays with it. */
export function startWatchdog(listener: number | undefined): Row[] {
  const fork: Row = {
    name: "fork the watchdog",
    call: "clone",
    args: [childSignal, 0, 0, 0, 0, { row: "watchdog's parent" }],
    expect: "fork",
  };
  if (listener === undefined) return [fork];
  return [fork, { name: "leave the listener to the watchdog", call: "close", args: [listener], expect: 0 }];
}

/** Waits until the watchdog stands by itself; the later, the less there is to wait for. */
export function releaseWatchdog(): Row {
  return { name: "let the watchdog go", call: "wait4", args: [-1, 0, 0, 0], expect: "non-negative" };
}

/** What the two forked processes do; these rows stand after the program's start, where nobody else comes. */
export function watchdogRows(free: number): Row[] {
  const blockAll = [0, words(-1), 0, 8];
  const end: Row = { name: "end the watchdog", call: "exit_group", args: [0], expect: "any" };
  return [
    {
      label: "watchdog's parent",
      name: "fork the watchdog again",
      call: "clone",
      args: [childSignal, 0, 0, 0, 0, { row: "watchdog" }],
      expect: "fork",
    },
    { name: "end the watchdog's parent", call: "exit_group", args: [0], expect: "any" },
    // gum asks a plugin to end by a signal to the group; the watchdog must not follow it.
    { label: "watchdog", name: "ignore signals", call: "rt_sigprocmask", args: blockAll, expect: 0 },
    { name: "leave the pipes", call: "close_range", args: [0, descriptors.status, 0], expect: 0 },
    ...(free > descriptors.executable
      ? [{ name: "leave the executable", call: "close", args: [descriptors.executable], expect: 0 } as const]
      : []),
    { name: "wait for gum's end", call: "read", args: [descriptors.lifeline, scratch(8), 1], expect: "any" },
    { name: "kill the group", call: "kill", args: [wholeGroup, killSignal], expect: "any" },
    end,
  ];
}
