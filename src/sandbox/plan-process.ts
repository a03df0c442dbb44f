import { data, type Row, scratch, words } from "../host/native/row.ts";
import type { Limits } from "./limits.ts";

const allDescriptors = 0xffffffff;
/** The real-time signals too: make, for one, starts programs with the first two of them ignored. */
const lastSignal = 64;
const killSignal = 9;
const stopSignal = 19;
/** A few more than there are. */
const lastCapability = 47;

const prctl = {
  setParentDeathSignal: 1,
  dropFromBoundingSet: 24,
  setSecureBits: 28,
  setNoNewPrivileges: 38,
  ambient: 47,
} as const;
const clearAllAmbient = 4;
/** Root is nobody special, and none of it can be taken back. */
const rootMeansNothing = 0x2f;

const resources = { cpuSeconds: 0, fileBytes: 1, dataBytes: 2, core: 4, openFiles: 7 } as const;

/** Own session and group, no inherited masks, handlers or descriptors. */
export function cleanProcess(free: number): Row[] {
  const setMask = 2;
  const maskBytes = 8;
  const defaultAction = scratch(32);
  const signals = Array.from({ length: lastSignal }, (_, index) => index + 1).filter(
    (signal) => signal !== killSignal && signal !== stopSignal,
  );
  return [
    { name: "start a session", call: "setsid", args: [], expect: "non-negative" },
    { name: "make new files private", call: "umask", args: [0o077], expect: "any" },
    { name: "unblock signals", call: "rt_sigprocmask", args: [setMask, words(0), 0, maskBytes], expect: 0 },
    ...signals.map(
      (signal): Row => ({
        name: `reset signal ${signal}`,
        call: "rt_sigaction",
        args: [signal, defaultAction, 0, maskBytes],
        expect: 0,
      }),
    ),
    { name: "close other descriptors", call: "close_range", args: [free, allDescriptors, 0], expect: 0 },
  ];
}

/** Limits of T23. */
export function limitRows(limits: Limits): Row[] {
  const wanted: readonly (readonly [keyof typeof resources, number | undefined])[] = [
    ["dataBytes", limits.dataBytes],
    ["fileBytes", limits.fileBytes],
    ["openFiles", limits.openFiles],
    ["cpuSeconds", limits.cpuSeconds],
    // Not 0: a core that is piped to a collector ignores every limit but 1.
    ["core", 1],
  ];
  return wanted.flatMap(([resource, limit]): Row[] =>
    limit === undefined
      ? []
      : [
          {
            name: `limit ${resource}`,
            call: "prlimit64",
            args: [0, resources[resource], words(limit, limit), 0],
            // EPERM says that a stricter limit is in force already.
            expect: "any",
          },
        ],
  );
}

/** The process dies with gum even if it could get rid of its watchdog. */
export function tieToParent(parentPid: number): Row[] {
  return [
    {
      name: "die with gum",
      call: "prctl",
      args: [prctl.setParentDeathSignal, killSignal, 0, 0, 0],
      expect: 0,
    },
    { name: "be gum's child", call: "getppid", args: [], expect: parentPid },
  ];
}

/** No privileges, and no way to gain any. */
export function privilegeRows(isRoot: boolean): Row[] {
  const version3 = data(new Uint8Array([0x22, 0x05, 0x08, 0x20, 0, 0, 0, 0]));
  const noCapabilities = scratch(24);
  const noNewPrivileges = [prctl.setNoNewPrivileges, 1, 0, 0, 0];
  const clearAmbient = [prctl.ambient, clearAllAmbient, 0, 0, 0];
  return [
    ...(isRoot ? rootRows() : []),
    { name: "gain no privileges", call: "prctl", args: noNewPrivileges, expect: 0 },
    { name: "clear ambient capabilities", call: "prctl", args: clearAmbient, expect: 0 },
    { name: "clear capabilities", call: "capset", args: [version3, noCapabilities], expect: 0 },
  ];
}

/** Needs a capability that root in a container may lack; without it the rows that follow say the same. */
function rootRows(): Row[] {
  const drops = Array.from(
    { length: lastCapability + 1 },
    (_, capability): Row => ({
      name: `give up capability ${capability}`,
      call: "prctl",
      args: [prctl.dropFromBoundingSet, capability, 0, 0, 0],
      expect: "any",
    }),
  );
  const lockOut = [prctl.setSecureBits, rootMeansNothing, 0, 0, 0];
  return [...drops, { name: "lock root out", call: "prctl", args: lockOut, expect: "any" }];
}
