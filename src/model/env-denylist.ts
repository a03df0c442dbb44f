// The one list of environment variables that no plugin may have, used by validate, install and spawn (T13).
// Names are compared by case: a variable is another variable in another case.

/** Each rule is a prefix or a whole name. */
export const deniedEnv = {
  prefixes: ["GUM_", "_GUM", "LD_", "DYLD_", "BUN_"],
  names: [
    "GOOGLE_APPLICATION_CREDENTIALS",
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONSTARTUP",
    "PERL5LIB",
    "PERL5OPT",
    "RUBYOPT",
    "RUBYLIB",
    "JAVA_TOOL_OPTIONS",
    "BASH_ENV",
    "ENV",
    "GIT_SSH_COMMAND",
  ],
} as const;

/** Endings of names that hold secrets: such a name in `env_allow` needs a credential descriptor (M24, T13). */
export const secretEndings = [
  "TOKEN",
  "SECRET",
  "PASSWORD",
  "API_KEY",
  "COOKIE",
  "SECRET_ACCESS_KEY",
  "SECRET_KEY",
  "PRIVATE_KEY",
] as const;

const deniedNames: ReadonlySet<string> = new Set(deniedEnv.names);

/** True when no plugin may have a variable of this name. */
export function isDeniedEnv(name: string): boolean {
  return deniedNames.has(name) || deniedEnv.prefixes.some((prefix) => name.startsWith(prefix));
}

/** True when the name alone says that its value is a secret. */
export function looksSecret(name: string): boolean {
  const upper = name.toUpperCase();
  return secretEndings.some((ending) => upper.endsWith(ending));
}
