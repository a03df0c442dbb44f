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

/** Where homes are; the HOME that gum was started with may be another one. */
const homeRoots = ["/root", "/home", "/Users", "/var/home", "/export/home"];
const homePattern = /^\/(?:root|(?:home|Users|var\/home|export\/home)\/[^/]+)(?=\/|$)/;

export interface Surroundings {
  readonly userHome: string;
  readonly gumFolders: readonly string[];
  /** Where links lead to that stand in the place of something sensitive. */
  readonly sensitive?: readonly string[] | undefined;
  /** Besides what is known by name: what others execute, and what therefore may not be written. */
  readonly executed?: readonly string[] | undefined;
}

/** The home, whoever's it is, that the path lies in by its name. */
export function homeOf(path: string): string[] {
  const home = homePattern.exec(path)?.[0];
  return home === undefined ? [] : [home];
}

/** Paths with credentials, of the user and of whoever's home the path lies in. */
export function sensitiveFor(path: string, { userHome, gumFolders, sensitive }: Surroundings): string[] {
  const other = homePattern.exec(path)?.[0];
  const homes = other === undefined || other === userHome ? [userHome] : [userHome, other];
  return [...gumFolders, ...(sensitive ?? []), ...homes.flatMap(sensitivePaths)];
}

/** What the path must not hold if it is to be allowed as a whole: homes, and everything sensitive. */
export function protectedFrom(path: string, where: Surroundings): string[] {
  const other = homePattern.exec(path)?.[0];
  const homes = [where.userHome, ...(other === undefined ? [] : [other]), ...homeRoots];
  return [...homes.filter((home) => home !== "/"), ...sensitiveFor(path, where)];
}

/** Places with credentials, of one home and of the machine. */
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
