import type { Host } from "../host/host.ts";
import type { Installer } from "./environment-plan.ts";
import { findProgram, isNativeProgram } from "./find-program.ts";
import { runProgram } from "./run-program.ts";

/** Prints where a pip is that needs no installing: in the wheel that python carries, else as a package of its own. */
const question = `
import glob, os, sysconfig
def wheels():
    try:
        import ensurepip
        yield os.path.join(os.path.dirname(ensurepip.__file__), "_bundled")
    except ImportError:
        pass
    yield sysconfig.get_config_var("WHEEL_PKG_DIR") or ""
found = [path for folder in wheels() if folder for path in sorted(glob.glob(os.path.join(folder, "pip-*.whl")))]
if found:
    print(os.path.join(found[-1], "pip"))
else:
    import pip
    runner = os.path.join(os.path.dirname(pip.__file__), "__pip-runner__.py")
    if os.path.exists(runner):
        print(runner)
`;

const timeoutMs = 20_000;

/** uv where it is on the PATH, else the pip of this python; undefined when there is neither. */
export async function findInstaller(
  host: Host,
  python: string,
  signal: AbortSignal,
): Promise<Installer | undefined> {
  const uv = await findProgram(host, "uv");
  // A shim is a script that looks for the real program in the user's home, where a confined build cannot.
  if (uv !== undefined && (await isNativeProgram(host, uv)))
    return { kind: "uv", path: await host.files.realpath(uv) };
  const { code, stdout } = await runProgram(host, {
    file: python,
    args: ["-I", "-c", question],
    env: { LC_ALL: "C.UTF-8" },
    cwd: "/",
    signal,
    timeoutMs,
  });
  const path = stdout.trim();
  return code === 0 && path.startsWith("/") ? { kind: "pip", path } : undefined;
}
