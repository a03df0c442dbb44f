// What well-known runtimes print when they cannot go on. A plugin can print the same; then its cause is named wrongly
// and nothing else happens.
import type { Cause } from "./causes.ts";

export interface StderrRule {
  readonly cause: Cause;
  /** May have a group `name`: the file or module that is missing or was refused. */
  readonly pattern: RegExp;
  readonly what: (name: string) => string;
  readonly hint: (name: string) => string;
}

const named = (name: string): string => (name === "" ? "" : ` ${JSON.stringify(name)}`);

const interpreter = {
  cause: "interpreter_not_found",
  what: (name: string) => `could not be started: its interpreter${named(name)} was not found`,
  hint: (name: string) =>
    `install${named(name) || " the interpreter"} where the sandbox may read it, such as /usr/bin`,
} as const;

const library = {
  cause: "shared_library_missing",
  what: (name: string) => `could not load the shared library${named(name)}`,
  hint: (name: string) => `install the library${named(name)}, or ship a statically linked executable`,
} as const;

const module = {
  cause: "module_missing",
  what: (name: string) => `could not find the module${named(name)}`,
  hint: (name: string) => `ship the module${named(name)} inside the plugin's folder`,
} as const;

const memory = {
  cause: "out_of_memory",
  what: () => "ran out of memory",
  hint: () => "let the plugin use less memory; the sandbox sets a limit",
} as const;

const architecture = {
  cause: "wrong_architecture",
  what: () => "is built for another machine",
  hint: () => "build the executable for this machine's architecture",
} as const;

const write = {
  cause: "write_denied",
  what: (name: string) => `was refused access to the file${named(name)}`,
  hint: (name: string) =>
    `write below the plugin's data folder (\${data}, HOME or TMPDIR), or ask for${named(name) || " the path"} in requests`,
} as const;

const connect = {
  cause: "connect_denied",
  what: (name: string) => `was refused a network connection${named(name)}`,
  hint: () =>
    "set declared_capabilities.network (Form B: requirements.network) to true if the plugin needs the network",
} as const;

/** In order; the more certain come first. */
export const stderrRules: readonly StderrRule[] = [
  { ...library, pattern: /error while loading shared libraries: (?<name>[^\s:]+):/ },
  { ...library, pattern: /Error loading shared library (?<name>[^\s:]+):/ },
  { ...library, pattern: /version `(?<name>[A-Z]+_[\d.]+)' not found/ },
  {
    ...library,
    pattern: /(?:ImportError|OSError): (?<name>[^\s:]+\.so[.\d]*): cannot open shared object file/,
  },
  { ...library, pattern: /dlopen\((?<name>[^,)]+).{0,200}?(?:image not found|no such file)/ },
  {
    ...architecture,
    pattern: /Exec format error|cannot execute binary file|wrong ELF class|Bad CPU type in executable/,
  },
  { ...interpreter, pattern: /\benv: ['‘’"]?(?<name>[^'‘’":\s]+)['‘’"]?: No such file or directory/ },
  { ...interpreter, pattern: /(?<name>\S+): bad interpreter: No such file or directory/ },
  { ...interpreter, pattern: /pyenv: (?<name>[\w.-]+): command not found/ },
  { ...module, pattern: /ModuleNotFoundError: No module named ['"](?<name>[^'"\n]+)['"]/ },
  { ...module, pattern: /ImportError: No module named (?<name>[\w.]+)/ },
  { ...module, pattern: /Cannot find (?:module|package) ['"](?<name>[^'"\n]+)['"]/ },
  {
    ...module,
    pattern: /Could not locate the bindings file[\s\S]{0,400}?(?<name>[^\s/]+\.node)/,
  },
  { ...module, pattern: /error: Module not found "(?<name>[^"\n]+)"/ },
  { ...module, pattern: /cannot load such file -- (?<name>\S+)/ },
  { ...module, pattern: /Can't locate (?<name>\S+) in @INC/ },
  {
    ...memory,
    pattern:
      /\bMemoryError\b|heap out of memory|std::bad_alloc|\bout of memory\b|Cannot allocate memory|\bENOMEM\b/,
  },
  {
    ...connect,
    pattern:
      /\b(?:connect|socket|getaddrinfo|bind|listen) (?:EACCES|EPERM|ENETUNREACH|EAI_AGAIN)\b ?(?<name>[^\s,)]*)/,
  },
  {
    ...connect,
    pattern:
      /\bgetaddrinfo(?: failed)?\b|Temporary failure in name resolution|Name or service not known|Network is unreachable/,
  },
  {
    ...connect,
    pattern:
      /socket[\s\S]{0,600}PermissionError: \[Errno (?:1|13)\] (?:Operation not permitted|Permission denied)(?!: ')/,
  },
  {
    ...write,
    pattern:
      /PermissionError: \[Errno (?:1|13)\] (?:Operation not permitted|Permission denied): ['"](?<name>[^'"\n]+)['"]/,
  },
  { ...write, pattern: /OSError: \[Errno 30\] Read-only file system: ['"](?<name>[^'"\n]+)['"]/ },
  {
    ...write,
    pattern:
      /\b(?:EACCES|EPERM|EROFS): [a-z -]+, (?:open|mkdir|unlink|rename|rmdir|symlink|copyfile|scandir) ['"](?<name>[^'"\n]+)['"]/,
  },
  {
    ...write,
    pattern:
      /(?:cannot (?:create|open|touch)|can't create) (?:directory |regular file )?['‘"]?(?<name>[^'’":\n]+)['’"]?: (?:Permission denied|Read-only file system)/,
  },
];
