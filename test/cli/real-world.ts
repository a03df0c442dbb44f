import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCli } from "../../src/cli/run.ts";
import { createHost } from "../../src/host/real.ts";
import { createFakeTerminal, type FakeTerminalOptions } from "../fakes/fake-terminal.ts";

const root = join(import.meta.dir, "../..");

/** A new home folder in which gum works on real files and processes, with a terminal that is made up. */
export interface Scratch extends AsyncDisposable {
  readonly folder: string;
  /** Copies a plugin of test/plugins into the folder, under another name and with changes to its manifest's text. */
  plugin(name: string, target?: string, replace?: readonly (readonly [from: string, to: string])[]): string;
  gum(words: readonly string[], terminal?: FakeTerminalOptions): Promise<Said>;
}

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly questions: readonly string[];
}

export function createScratch(): Scratch {
  const folder = mkdtempSync(join(tmpdir(), "gum-cli-"));
  return {
    folder,
    plugin(name, target = name, replace = []) {
      const path = join(folder, target);
      cpSync(join(root, "test/plugins", name), path, { recursive: true });
      const manifest = join(path, "manifest.json");
      let text = readFileSync(manifest, "utf8");
      for (const [from, to] of replace) text = text.replaceAll(from, to);
      writeFileSync(manifest, text);
      return path;
    },
    gum: (words, terminal = {}) => run(folder, words, terminal),
    // Install roots are read-only folders, which only gum's own removal can take away without being root.
    [Symbol.asyncDispose]: () => createHost().files.removeTree(folder),
  };
}

async function run(folder: string, words: readonly string[], options: FakeTerminalOptions): Promise<Said> {
  const terminal = createFakeTerminal(options);
  const real = createHost();
  const host = {
    ...real,
    terminal,
    env: { HOME: folder, PATH: process.env.PATH },
    machine: {
      ...real.machine,
      home: folder,
      cwd: folder,
      self: { file: process.execPath, args: [join(root, "src/main.ts")] },
    },
  };
  const code = await runCli(words, {
    print: (line) => terminal.out(`${line}\n`),
    openHost: async () => host,
    interruption: () => new AbortController().signal,
    stoppedBy: () => undefined,
  });
  return { code, ...terminal.said };
}
