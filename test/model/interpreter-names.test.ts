import { expect, test } from "bun:test";
import { isShell, isShellOrInterpreter } from "../../src/model/interpreter-names.ts";

test("M10 shells and interpreters are known in any case, with versions and .exe", () => {
  const names =
    "sh bash dash zsh ksh fish csh tcsh busybox env python python3 node deno bun ruby perl php pwsh powershell cmd cmd.exe";
  for (const name of names.split(" ")) {
    for (const form of [name, name.toUpperCase(), `${name}3.11`, `${name}-5.2`, `${name}.exe`]) {
      if (name === "cmd.exe" && form !== name && form !== "CMD.EXE") continue;
      expect({ form, known: isShellOrInterpreter(form) }).toEqual({ form, known: true });
    }
  }
  for (const name of ["fli-mcp", "bashful", "nodemon", "python-fli", "shell", "envoy", "", "phpunit"]) {
    expect({ name, known: isShellOrInterpreter(name) }).toEqual({ name, known: false });
  }
});

test("T9 interpreters are no shells", () => {
  for (const name of ["sh", "bash5", "zsh-5.9", "busybox", "PowerShell", "cmd.exe"])
    expect(isShell(name)).toBe(true);
  for (const name of ["python3", "node", "env", "ruby"]) expect(isShell(name)).toBe(false);
});
