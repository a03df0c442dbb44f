// What no plugin may reach, whatever it or the operator asks for. Landlock can only allow, so nothing that holds
// one of these is ever allowed as a whole.

const belowHome = [
  ".ssh",
  ".gnupg",
  ".pki",
  ".aws",
  ".azure",
  ".oci",
  ".kube",
  ".docker",
  ".config/gcloud",
  ".config/gh",
  ".config/glab-cli",
  ".config/op",
  ".config/doctl",
  ".config/rclone",
  ".config/containers",
  ".terraform.d",
  ".terraformrc",
  ".vault-token",
  ".netrc",
  ".npmrc",
  ".yarnrc.yml",
  ".pypirc",
  ".gem/credentials",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".m2/settings.xml",
  ".gradle/gradle.properties",
  ".git-credentials",
  ".config/git/credentials",
  ".gitconfig",
  ".pgpass",
  ".my.cnf",
  ".password-store",
  ".local/share/keyrings",
  ".local/share/kwalletd",
  ".mozilla",
  ".thunderbird",
  ".config/google-chrome",
  ".config/chromium",
  ".config/BraveSoftware",
  ".config/microsoft-edge",
  ".bash_history",
  ".zsh_history",
  ".local/share/fish",
  "Library/Keychains",
  "Library/Application Support/Google/Chrome",
  "Library/Application Support/Firefox",
];

const ofTheMachine = [
  "/etc/shadow",
  "/etc/gshadow",
  "/etc/sudoers",
  "/etc/sudoers.d",
  "/etc/ssh",
  "/etc/ssl/private",
  "/etc/pki/tls/private",
  "/etc/kubernetes",
  "/etc/krb5.keytab",
  "/var/lib/docker",
  "/var/lib/kubelet",
  "/var/run/docker.sock",
  "/run/docker.sock",
  "/run/secrets",
  "/var/run/secrets",
  "/run/user",
  "/proc",
  "/sys",
  "/dev",
  "/boot",
];

/** Every path with credentials of the user or the machine. */
export function sensitivePaths(home: string): string[] {
  return [...belowHome.map((name) => joined(home, name)), ...ofTheMachine];
}

/** True when `path` is `folder` or lies below it; both are absolute and normal. */
export function liesWithin(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false;
  return path.length === folder.length || folder === "/" || path[folder.length] === "/";
}

function joined(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}
