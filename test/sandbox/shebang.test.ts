import { describe, expect, test } from "bun:test";
import { GumError } from "../../src/base/errors.ts";
import { readShebang } from "../../src/sandbox/shebang.ts";

const read = (text: string) => readShebang(new TextEncoder().encode(text));

function refusal(text: string): string {
  try {
    return JSON.stringify(read(text));
  } catch (error) {
    return error instanceof GumError ? `${error.code}: ${error.message}` : String(error);
  }
}

describe("T9 the first line of a script", () => {
  test("T9 an absolute interpreter is taken with its one argument", () => {
    expect(read("#!/usr/bin/python3\nprint()")).toEqual({
      interpreter: { path: "/usr/bin/python3" },
      args: [],
    });
    expect(read("#! /usr/bin/python3  -u -B \r\n")).toEqual({
      interpreter: { path: "/usr/bin/python3" },
      args: ["-u -B"],
    });
  });

  test("T9 env with a name, and env -S with a name and arguments, are taken", () => {
    expect(read("#!/usr/bin/env python3\n")).toEqual({ interpreter: { name: "python3" }, args: [] });
    expect(read("#!/usr/bin/env -S deno run --quiet\n")).toEqual({
      interpreter: { name: "deno" },
      args: ["run", "--quiet"],
    });
    expect(read("#!/usr/bin/env -Snode\n")).toEqual({ interpreter: { name: "node" }, args: [] });
  });

  test("T9 a file that is no script has no interpreter", () => {
    expect(read("\x7fELF")).toBeUndefined();
    expect(read("")).toBeUndefined();
  });

  test("T9 shells are refused in every spelling", () => {
    for (const line of [
      "#!/bin/sh\n",
      "#!/bin/bash -e\n",
      "#!/usr/bin/env bash\n",
      "#!/usr/bin/env -S zsh -f\n",
      "#!/opt/BASH-5.2\n",
      "#!/bin/busybox sh\n",
    ]) {
      expect(refusal(line)).toStartWith(
        "PLUGIN_EXECUTABLE_UNTRUSTED: The executable is refused because its interpreter",
      );
    }
  });

  test("T9 a refused shell is told with what to do instead, not with how to name one", () => {
    const hintOf = (line: string): string | undefined => {
      try {
        readShebang(new TextEncoder().encode(line));
      } catch (error) {
        if (error instanceof GumError) return error.info.hint;
        throw error;
      }
      return undefined;
    };
    expect(hintOf("#!/bin/bash\n")).toBe(
      "shells run whatever they are told to: ship a program, or write the script in a language such as Python",
    );
    expect(hintOf("#!python3\n")).toBe(
      "begin the script with an absolute interpreter or `#!/usr/bin/env NAME`",
    );
  });

  test("T9 everything else that env can do is refused", () => {
    for (const line of [
      "#!/usr/bin/env -i python3\n",
      "#!/usr/bin/env -S -i python3\n",
      "#!/usr/bin/env -S PYTHONPATH=x python3\n",
      "#!/usr/bin/env python3 -u\n",
      "#!/usr/bin/env ../python3\n",
      '#!/usr/bin/env -S node "--eval=1 2"\n',
      "#!/usr/bin/env\n",
      "#!/usr/bin/env -S\n",
    ]) {
      expect(refusal(line)).toStartWith("PLUGIN_EXECUTABLE_UNTRUSTED:");
    }
  });

  test("T9 relative, empty, endless and cut lines are refused", () => {
    for (const line of [
      "#!python3\n",
      "#!./run\n",
      "#!\n",
      "#!   \n",
      `#!/usr/bin/python3${" ".repeat(5000)}`,
      "#!/usr/bin/py\0thon\n",
    ]) {
      expect(refusal(line)).toStartWith("PLUGIN_EXECUTABLE_UNTRUSTED:");
    }
  });
});
