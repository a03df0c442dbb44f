import type { Host } from "../host/host.ts";
import type { Profile } from "../model/profile.ts";
import { certificatePaths, type Environment, makeEnvironment } from "../sandbox/environment.ts";
import { ownFolders } from "../sandbox/own-folders.ts";
import { makePolicy, type Policy } from "../sandbox/policy.ts";

/** Where a build works. Paths are real ones. */
export interface BuildPlace {
  readonly installRoot: string;
  /** The environment itself: the only part of the install root that the build may write. */
  readonly environment: string;
  /** Home, temporary files and a copy of the project; gone when the install ends. */
  readonly scratch: string;
  /** The programs that build: python, and uv where it is used. */
  readonly programs: readonly string[];
}

/** What a build may do: use the network, and write the environment and its scratch folder. */
export function buildPolicy(host: Host, profile: Profile, place: BuildPlace): Policy {
  const policy = makePolicy({
    network: true,
    fsWriteDir: "",
    grants: { read: [], write: [place.environment], shm: false },
    installRoot: place.installRoot,
    dataDir: place.scratch,
    runtimes: place.programs,
    certificates: certificatePaths(host.env),
    userHome: host.machine.home,
    gumFolders: ownFolders(profile),
  });
  // A build may run what it has just compiled.
  const own = { path: place.scratch, access: "read-exec", kind: "folder", presence: "required" } as const;
  return { ...policy, rules: [...policy.rules, own] };
}

const systemCertificates = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/cert.pem",
];

/** The build's environment: nothing of the user's but language, proxies and certificates. */
export async function buildVariables(host: Host, policy: Policy): Promise<Environment> {
  const certificates = host.env.SSL_CERT_FILE ?? (await firstThere(host, systemCertificates));
  return makeEnvironment({
    user: host.env,
    home: policy.home,
    temporary: policy.temporary,
    network: true,
    literal: {
      // pip and uv bring certificates of their own, which know nothing of a company's.
      ...(certificates === undefined ? {} : { PIP_CERT: certificates, SSL_CERT_FILE: certificates }),
      PIP_CONFIG_FILE: "/dev/null",
      PYTHONNOUSERSITE: "1",
      UV_NO_CONFIG: "1",
      UV_PYTHON_DOWNLOADS: "never",
    },
    allowed: [],
    credentials: {},
  });
}

async function firstThere(host: Host, paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await host.files.exists(path)) return path;
  return undefined;
}
