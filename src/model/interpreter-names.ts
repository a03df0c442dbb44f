// Programs that run whatever they are told to: hashing one of them says nothing about what will run (M10, T9).

/** Shells: refused as an executable and as the interpreter of a script. */
export const shellNames = [
  "sh",
  "ash",
  "bash",
  "dash",
  "zsh",
  "ksh",
  "mksh",
  "fish",
  "csh",
  "tcsh",
  "busybox",
  "pwsh",
  "powershell",
  "cmd",
] as const;

/** Language interpreters and `env`: refused as an executable, allowed as the interpreter of a script. */
export const interpreterNames = [
  "env",
  "python",
  "pypy",
  "node",
  "nodejs",
  "deno",
  "bun",
  "ruby",
  "perl",
  "php",
] as const;

const shells: ReadonlySet<string> = new Set(shellNames);
const interpreters: ReadonlySet<string> = new Set(interpreterNames);

/** True for a shell by base name, in any case and with or without a version: `sh`, `BASH`, `zsh-5.9`, `cmd.exe`. */
export function isShell(baseName: string): boolean {
  return shells.has(bareName(baseName));
}

/** True for a shell or a bare language interpreter by base name: also `python3.11`, `node22`, `php8.2`. */
export function isShellOrInterpreter(baseName: string): boolean {
  const name = bareName(baseName);
  return shells.has(name) || interpreters.has(name);
}

/** Without version and `.exe`; no program of these names has a long name, and cutting one would cost time. */
function bareName(baseName: string): string {
  if (baseName.length > 64) return baseName;
  return baseName
    .toLowerCase()
    .replace(/\.exe$/, "")
    .replace(/[-_.\d]*\d[a-z]?$/, "");
}
