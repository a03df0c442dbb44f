import { expect, test } from "bun:test";
import { errorCodes } from "../../src/base/error-codes.ts";
import { causes, type Evidence, explain } from "../../src/wire/causes.ts";
import { countsAsCrash, launchError, shownTail } from "../../src/wire/failure.ts";

function of(evidence: Partial<Evidence>): [string, string] {
  const { cause, what } = explain({ phase: "initialize", exit: null, stderrTail: "", ...evidence });
  return [cause, what];
}

const died = { exit: { code: 1, signal: null }, fault: { kind: "exited" } } as const;

const launches = [
  ["ENOENT", "interpreter_not_found"],
  ["ENOEXEC", "wrong_architecture"],
  ["EACCES", "not_executable"],
  ["ENOMEM", "out_of_memory"],
  ["EMFILE", "launch_failed"],
] as const;

for (const [errno, cause] of launches) {
  test(`W27 a launch that fails with ${errno} has the cause ${cause}`, () => {
    const error = launchError("fli", Object.assign(new Error("spawn"), { code: errno }));
    expect(error.code).toBe("SERVICE_DOWN");
    expect(error.info.details).toEqual({ cause, stderr_tail: "", exit: null });
    expect(error.message).toStartWith('The plugin "fli" could not be started: ');
    expect(countsAsCrash(error)).toBe(true);
  });
}

const printed = [
  [
    "./x: error while loading shared libraries: libfoo.so.3: cannot open shared object file: No such file",
    "shared_library_missing",
    "libfoo.so.3",
  ],
  [
    "/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by ./x)",
    "shared_library_missing",
    "GLIBC_2.38",
  ],
  [
    "ImportError: libcairo.so.2: cannot open shared object file: No such file or directory",
    "shared_library_missing",
    "libcairo.so.2",
  ],
  ["/usr/bin/env: ‘ruby’: No such file or directory", "interpreter_not_found", "ruby"],
  ["env: node: No such file or directory", "interpreter_not_found", "node"],
  ["bash: ./x: cannot execute binary file: Exec format error", "wrong_architecture", ""],
  ["ModuleNotFoundError: No module named 'mcp.server'", "module_missing", "mcp.server"],
  ["Error: Cannot find module '@scope/thing'\nRequire stack:", "module_missing", "@scope/thing"],
  ["Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from x", "module_missing", "zod"],
  ["FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory", "out_of_memory", ""],
  ["MemoryError", "out_of_memory", ""],
  ["PermissionError: [Errno 13] Permission denied: '/etc/fli.conf'", "write_denied", "/etc/fli.conf"],
  ["Error: EACCES: permission denied, mkdir '/var/cache/fli'", "write_denied", "/var/cache/fli"],
  ["OSError: [Errno 30] Read-only file system: '/opt/x'", "write_denied", "/opt/x"],
  ["Error: connect EACCES 127.0.0.1:443", "connect_denied", "127.0.0.1:443"],
  ["Error: getaddrinfo EAI_AGAIN api.example.com", "connect_denied", "api.example.com"],
  ["socket.gaierror: [Errno -3] Temporary failure in name resolution", "connect_denied", ""],
  [
    '  File "/usr/lib/python3/socket.py", line 833, in create_connection\n    sock.connect(sa)\nPermissionError: [Errno 13] Permission denied',
    "connect_denied",
    "",
  ],
] as const;

for (const [stderrTail, cause, name] of printed) {
  test(`W27 ${JSON.stringify(stderrTail.slice(0, 60))} on stderr has the cause ${cause}`, () => {
    const [found, what] = of({ ...died, stderrTail: `starting\n${stderrTail}\n` });
    expect(found).toBe(cause);
    expect(what).toContain(name);
  });
}

test("W27 what gum saw itself comes before what the plugin printed", () => {
  const stderrTail = "ModuleNotFoundError: No module named 'x'";
  expect(of({ stderrTail, fault: { kind: "not_protocol", line: "hello" } })[0]).toBe("stdout_not_protocol");
  expect(of({ stderrTail, errno: "EACCES" })[0]).toBe("not_executable");
});

test("W27 words on stderr do not make a cause of an exit without an error", () => {
  expect(
    of({ exit: { code: 0, signal: null }, fault: { kind: "exited" }, stderrTail: "MemoryError handled" }),
  ).toEqual(["exit_code", "ended by itself with exit code 0 before it answered initialize"]);
});

test("W27 an exit, a signal and a closed stdout are each told with the moment", () => {
  expect(of({ ...died, phase: "list" })[1]).toBe(
    "ended by itself with exit code 1 before it had listed its tools",
  );
  expect(of({ exit: { code: null, signal: "SIGKILL" }, fault: { kind: "exited" }, phase: "call" })).toEqual([
    "signal",
    "was ended by SIGKILL in the middle of a call",
  ]);
  expect(of({ fault: { kind: "stdout_closed" }, phase: "idle" })).toEqual([
    "stdout_closed",
    "closed its stdout between two calls",
  ]);
});

test("W27 a name taken from stderr is shown on one line, escaped and short", () => {
  const [, what] = of({
    ...died,
    stderrTail: `ModuleNotFoundError: No module named '${"\u001b[2J".repeat(100)}'`,
  });
  expect(what).not.toContain("\u001b");
  expect(what.length).toBeLessThan(300);
});

test("W27 no cause is also an error code, and none is listed twice", () => {
  expect(new Set(causes).size).toBe(causes.length);
  expect(causes.filter((cause) => cause in errorCodes)).toEqual([]);
});

test("W1 stderr is shown with its control characters escaped, from the start of a line, at most 8 KiB", () => {
  expect(shownTail("a\u0007b\tc\r\nd")).toBe("a\\x07b\tc\nd");
  const lines = Array.from({ length: 2000 }, (_, n) => `line ${n}`).join("\n");
  const tail = shownTail(lines);
  expect(tail.length).toBeLessThanOrEqual(8192);
  expect(tail).toStartWith("line ");
  expect(tail).toEndWith("line 1999");
});
