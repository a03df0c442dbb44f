import { join } from "node:path/posix";
import { GumError } from "../base/errors.ts";
import type { Host } from "../host/host.ts";
import type { Built, Staged } from "../model/install.ts";
import type { Plugin } from "../model/plugin.ts";
import type { Profile } from "../model/profile.ts";
import type { StepTools } from "../pipeline/step.ts";
import { namesIn } from "../registry/folders.ts";
import { copyTree } from "../registry/stage.ts";
import { walkTree } from "../registry/tree.ts";
import { inspectInterpreter } from "../sandbox/interpreters.ts";
import {
  type BuildCommand,
  buildCommands,
  environmentPython,
  type Installer,
} from "../source/environment-plan.ts";
import { findInstaller } from "../source/find-installer.ts";
import { findProgram } from "../source/find-program.ts";
import { intoStaging } from "../source/into-staging.ts";
import { buildLimits, unpackLimits } from "../source/limits.ts";
import { projectFile, readProject } from "../source/pyproject.ts";
import { buildPolicy, buildVariables } from "./build-sandbox.ts";
import { pinEnvironment } from "./pin-environment.ts";
import { type ConfinedEnd, runConfined } from "./run-confined.ts";

/** The environment's folder in the install root. */
export const environmentName = ".gum-env";

/** What a build starts from. */
export interface ProjectToBuild {
  readonly plugin: Plugin;
  readonly profile: Profile;
  readonly staged: Staged;
}

/** Builds the environment in the install root; nothing of it is left behind when that fails. */
export async function buildEnvironment(
  { plugin, profile, staged }: ProjectToBuild,
  tools: StepTools,
): Promise<Built> {
  const { host, signal, note } = tools;
  const base = await basePython(host, plugin);
  const installer = await findInstaller(host, base.path, signal);
  if (installer === undefined)
    throw failed(plugin, "there is neither uv nor a pip", "install uv, or the venv package of your python");
  // Copied first, so that the copy does not hold the environment that is made beside it.
  const scratch = join(staged.scratch, "build");
  await copyProject(host, staged.installRoot, join(scratch, "project"), signal);
  const environment = await makePlace(host, plugin, staged);
  await build({ plugin, profile, staged, tools, python: base.path, installer, environment, scratch });
  const program = `${environmentName}/bin/${plugin.command[0]}`;
  const real = await host.files.realpath(base.path);
  await requireScript(host, plugin, staged, program, real);
  const entries = await pinEnvironment(
    host,
    { plugin: plugin.id, staged, name: environmentName, interpreter: real },
    signal,
  );
  note(`${installer.kind}, python ${base.version}, ${entries.length - staged.entries.length} entries`);
  const python = { ...base, path: environmentPython(join(staged.installRoot, environmentName)) };
  return { entries, program, python };
}

/** The python3 on the user's PATH, seen through shims. */
async function basePython(host: Host, plugin: Plugin) {
  const found = await findProgram(host, "python3");
  if (found !== undefined) return inspectInterpreter(host, found);
  throw failed(plugin, "there is no python3 on the PATH", "install python3 and run the command again");
}

/** An empty folder in the install root, which is closed again: only that folder may be written. */
async function makePlace(host: Host, plugin: Plugin, { installRoot }: Staged): Promise<string> {
  const environment = join(installRoot, environmentName);
  if (await host.files.exists(environment))
    throw failed(plugin, `its folder already holds ${environmentName}`, "remove it from the plugin");
  await intoStaging("build", async () => {
    await host.files.chmod(installRoot, 0o700);
    await host.files.mkdir(environment, { mode: 0o700 });
    await host.files.chmod(installRoot, 0o555);
  });
  return environment;
}

interface Build {
  readonly plugin: Plugin;
  readonly profile: Profile;
  readonly staged: Staged;
  readonly tools: StepTools;
  readonly python: string;
  readonly installer: Installer;
  readonly environment: string;
  readonly scratch: string;
}

async function build(work: Build): Promise<void> {
  const { plugin, profile, staged, tools, python, installer, environment, scratch } = work;
  const { host, signal, progress } = tools;
  const project = join(scratch, "project");
  const real = (path: string): Promise<string> => host.files.realpath(path);
  const programs = [python, ...(installer.kind === "uv" ? [installer.path] : [])];
  const policy = buildPolicy(host, profile, {
    installRoot: await real(staged.installRoot),
    environment: await real(environment),
    scratch: await real(scratch),
    programs: await Promise.all(programs.map(real)),
  });
  const env = await buildVariables(host, policy);
  const commands = await commandsOf(host, { python, installer, environment, project });
  const deadline = host.clock.monotonic() + buildLimits.totalMs;
  for (const [index, command] of commands.entries()) {
    progress(command.what, index, commands.length);
    const timeoutMs = Math.max(1, deadline - host.clock.monotonic());
    const end = await runConfined(host, policy, { argv: command.argv, env, cwd: project, signal, timeoutMs });
    if (end.late || (end.code !== 0 && command.lenient === undefined))
      throw commandFailed(plugin, command, end, { project, environment, scratch });
  }
}

/** A copy that the build may write to: many builds leave files beside the source. */
async function copyProject(host: Host, from: string, to: string, signal: AbortSignal): Promise<void> {
  const limits = { maxFiles: unpackLimits.entries, maxBytes: unpackLimits.bytes };
  await copyTree(host, from, to, limits, undefined, signal);
  await host.files.chmod(to, 0o700);
  for (const { path, facts } of await walkTree(host, to, signal)) {
    if (facts.kind === "folder") await host.files.chmod(join(to, path), 0o700);
    if (facts.kind === "file")
      await host.files.chmod(join(to, path), (facts.mode & 0o111) === 0 ? 0o600 : 0o700);
  }
}

async function commandsOf(
  host: Host,
  place: { python: string; installer: Installer; environment: string; project: string },
): Promise<BuildCommand[]> {
  const text = await host.files.readText(join(place.project, projectFile));
  const top = await namesIn(host.files, place.project);
  return buildCommands({
    ...place,
    about: await readProject(text),
    locked: top.includes("requirements.lock"),
    wheels: top.includes("wheels") ? await namesIn(host.files, join(place.project, "wheels")) : null,
  });
}

async function requireScript(
  host: Host,
  plugin: Plugin,
  { installRoot }: Staged,
  program: string,
  base: string,
): Promise<void> {
  const path = join(installRoot, program);
  const there = (await host.files.exists(path)) && (await host.files.lstat(path)).kind === "file";
  if (!there) throw failed(plugin, `installing the project made no script "${plugin.command[0]}"`);
  const python = environmentPython(join(installRoot, environmentName));
  if (!(await host.files.exists(python)) || (await host.files.realpath(python)) !== base)
    throw failed(plugin, "its environment does not lead to the python that built it");
}

interface Places {
  readonly project: string;
  readonly environment: string;
  readonly scratch: string;
}

/** Says which command failed, with what it said last; paths of this machine are named by what they are. */
function commandFailed(plugin: Plugin, command: BuildCommand, end: ConfinedEnd, places: Places): GumError {
  const output = end.lines.map((line) =>
    line
      .replaceAll(places.project, ".")
      .replaceAll(places.environment, environmentName)
      .replaceAll(places.scratch, "<scratch>"),
  );
  const said =
    output.findLast((line) => /^\s*(?:error|ERROR|×|╰─▶|fatal)\b/.test(line)) ?? output.at(-1) ?? "";
  const how = end.late ? "took too long" : `failed${said === "" ? "" : ` (${said.trim().slice(0, 300)})`}`;
  return new GumError(
    "PLUGIN_BUILD_FAILED",
    `The environment of "${plugin.id}" could not be built: ${command.what} ${how}.`,
    {
      hint: "see the build's last lines in details.output and correct the project",
      details: { command: command.what, exit_code: end.code, output },
    },
  );
}

function failed(plugin: Plugin, why: string, hint?: string): GumError {
  return new GumError(
    "PLUGIN_BUILD_FAILED",
    `The environment of "${plugin.id}" could not be built: ${why}.`,
    { hint },
  );
}
