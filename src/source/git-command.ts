// How gum runs git: on an empty configuration, without hooks, filters, submodules, prompts or helpers, and over the
// one protocol that the source names. Nothing that the repository or the user's own settings say is executed.
import type { Host } from "../host/host.ts";

/** Passed on when the user has them: ways through the network, and the agent that holds ssh keys. */
const passed = [
  "PATH",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "SSH_AUTH_SOCK",
];

/** The whole environment of git; `home` is an empty folder, so that no file of the user is found in it. */
export function gitEnvironment(env: Host["env"], home: string): Record<string, string> {
  const taken = passed.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const certificates = env.GIT_SSL_CAINFO ?? env.SSL_CERT_FILE;
  return {
    ...Object.fromEntries(taken),
    ...(certificates === undefined ? {} : { GIT_SSL_CAINFO: certificates }),
    HOME: home,
    XDG_CONFIG_HOME: home,
    LC_ALL: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "/bin/false",
    SSH_ASKPASS: "/bin/false",
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_OPTIONAL_LOCKS: "0",
    // A fixed text: git hands it to a shell.
    GIT_SSH_COMMAND:
      "ssh -oBatchMode=yes -oStrictHostKeyChecking=yes -oPermitLocalCommand=no -oClearAllForwardings=yes",
    GIT_SSH_VARIANT: "ssh",
  };
}

/** The protocols that gum clones over. */
export const gitProtocols = ["https", "ssh", "file"] as const;

/** Settings that win over whatever the new repository holds. */
export function gitSettings(protocol: (typeof gitProtocols)[number]): string[] {
  const settings = {
    "protocol.allow": "never",
    [`protocol.${protocol}.allow`]: "always",
    "core.bare": "false",
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    "core.attributesFile": "/dev/null",
    "core.excludesFile": "/dev/null",
    "core.autocrlf": "false",
    "core.eol": "lf",
    "core.symlinks": "true",
    "core.protectHFS": "true",
    "core.protectNTFS": "true",
    "credential.helper": "",
    "submodule.recurse": "false",
    "fetch.recurseSubmodules": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "http.followRedirects": "initial",
    "advice.detachedHead": "false",
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/**
 * Written to the repository's own info/attributes, which win over those in the tree: files are checked out byte by
 * byte, with no filter, no change of line ends and no keywords.
 */
export const plainAttributes = "* -text -eol -ident -filter -working-tree-encoding -diff -merge\n";
