import { describe, expect, test } from "bun:test";
import { makePlan, makeUnconfinedPlan, type PlanInput } from "../../src/sandbox/plan.ts";
import { makePolicy } from "../../src/sandbox/policy.ts";

const policy = makePolicy({
  network: false,
  fsWriteDir: "out",
  grants: { read: ["/srv/in"], write: [], shm: false },
  installRoot: "/gum/root",
  dataDir: "/gum/data",
  runtimes: [],
  userHome: "/home/ann",
  gumFolders: ["/gum"],
});
const input: PlanInput = {
  policy,
  arch: "x64",
  landlockAbi: 7,
  parentPid: 77,
  isRoot: true,
  attestation: { file: "attestation", socket: "listener" },
  program: { path: "/gum/root/run", argv: ["run"], cwd: "/gum/root", byDescriptor: true },
};
const plan = (change: Partial<PlanInput> = {}) => makePlan({ ...input, ...change });
/** Names in order, each run of rows of one kind once. */
const order = (rows: readonly { name: string }[]) => {
  const kinds = rows.map(({ name }) =>
    name.replace(/ (?:\d+|\w+Bytes|\w+Files|core)$/, "").replace(/: .*/, ""),
  );
  return kinds.filter((kind, index) => kind !== kinds[index - 1]);
};

describe("T21 the plan", () => {
  test("T21 keeps its order: what confines comes before the proof, the proof before the program", () => {
    expect(order(plan())).toEqual([
      "start a session",
      "make new files private",
      "unblock signals",
      "reset signal",
      "close other descriptors",
      "make a listener",
      "fork the watchdog",
      "leave the listener to the watchdog",
      "limit",
      "die with gum",
      "be gum's child",
      "give up capability",
      "lock root out",
      "gain no privileges",
      "clear ambient capabilities",
      "clear capabilities",
      "make folder home",
      "make folder tmp",
      "make folder out",
      "write a file, unconfined",
      "connect, unconfined",
      "start a Landlock ruleset",
      "allow read-exec",
      "allow read",
      "allow device",
      "allow read-exec",
      "allow read",
      "allow write",
      "allow read",
      "apply Landlock",
      "close the ruleset",
      "be refused to write a file",
      "be refused to connect by TCP",
      "close it again",
      "let the watchdog go",
      "enter the working folder",
      "close gum's descriptors at the start",
      "apply the filter",
      "be refused a socket",
      "be ready",
      "start the program",
      "fork the watchdog again",
      "end the watchdog's parent",
      "ignore signals",
      "leave the pipes",
      "leave the executable",
      "wait for gum's end",
      "kill the group",
      "end the watchdog",
    ]);
  });

  test("T21 whoever is not root has no capabilities to give up but still clears them", () => {
    const names = order(plan({ isRoot: false }));
    expect(names).not.toContain("give up capability");
    expect(names).toContain("clear capabilities");
  });

  test("T21 nothing that confines or proves may have just any result", () => {
    const lenient = plan().filter((row) => row.expect === "any");
    expect(order(lenient)).toEqual([
      "make new files private",
      "limit",
      "give up capability",
      "lock root out",
      "make folder home",
      "make folder tmp",
      "make folder out",
      "end the watchdog's parent",
      "wait for gum's end",
      "kill the group",
      "end the watchdog",
    ]);
  });

  test("T30 an opened file is executed by its descriptor, an interpreter by its path", () => {
    const start = (byDescriptor: boolean) =>
      plan({ program: { ...input.program, byDescriptor } }).find(({ name }) => name === "start the program");
    expect([start(true)?.call, start(true)?.args[0], start(true)?.args[4]]).toEqual(["execveat", 5, 0x1000]);
    expect(start(false)?.call).toBe("execve");
  });

  test("T17 the environment is not in the plan: the program hands on the one that it was started with", () => {
    expect(plan().find(({ name }) => name === "start the program")?.args[3]).toBe("environment");
  });

  test("T20 paths that a plugin could replace are opened without following links", () => {
    const opened = (path: string) => plan().filter(({ name }) => name.endsWith(`: ${path}`))[0]?.call;
    expect([opened("/gum/data"), opened("/gum/data/out"), opened("/gum/root"), opened("/srv/in")]).toEqual(
      Array(4).fill("openat2"),
    );
    expect(opened("/etc/localtime")).toBe("openat");
  });

  test("T21 rights and scopes are those of the kernel's version", () => {
    const sizes = [1, 2, 3, 4, 5, 6, 7, 8].map((landlockAbi) => {
      const row = plan({ landlockAbi }).find(({ call }) => call === "landlock_create_ruleset");
      const [attributes] = row?.args ?? [];
      if (typeof attributes !== "object" || !("bytes" in attributes)) return "no attributes";
      const view = new DataView(attributes.bytes.buffer);
      return Array.from({ length: view.byteLength / 8 }, (_, index) =>
        view.getBigUint64(index * 8, true).toString(16),
      ).join(" ");
    });
    expect(sizes).toEqual(["1fff", "3fff", "7fff", "7fff 3", "ffff 3", "ffff 3 3", "ffff 3 3", "ffff 3 3"]);
  });

  test("T2 the plan without confinement has the session, the watchdog and nothing of the sandbox", () => {
    const rows = makeUnconfinedPlan({ parentPid: 77, program: input.program });
    expect(order(rows).slice(5, 15)).toEqual([
      "fork the watchdog",
      "die with gum",
      "be gum's child",
      "let the watchdog go",
      "enter the working folder",
      "close gum's descriptors at the start",
      "be ready",
      "start the program",
      "fork the watchdog again",
      "end the watchdog's parent",
    ]);
  });
});
