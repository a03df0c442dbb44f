import { Buffer } from "node:buffer";
import { isErrno } from "../../base/errors.ts";
import type { Child, Host, SpawnSpec } from "../host.ts";
import type { Image } from "./elf.ts";
import { statusDescriptor } from "./loop.ts";
import { type Outcome, readOutcomes } from "./status.ts";

export type ImagePorts = Pick<Host, "files" | "processes">;

export interface StartOptions {
  /** A private folder that the program's file stands in for a moment, and where the program begins. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdio: SpawnSpec["stdio"];
}

const busyTries = 50;

/** Starts the program; its file is gone from the disk when this returns. */
export async function startImage(
  { files, processes }: ImagePorts,
  image: Image,
  { folder, env, stdio }: StartOptions,
): Promise<Child> {
  const file = `${folder}/program`;
  await files.writeNew(file, image.bytes, { mode: 0o500 });
  try {
    for (let tries = 1; ; tries++) {
      try {
        return await processes.spawn({ file, args: [], env, cwd: folder, stdio });
      } catch (error) {
        // A thread that forked while the file was being written holds it open until its own exec.
        if (!isErrno(error, "ETXTBSY") || tries === busyTries) throw error;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    }
  } finally {
    await files.unlink(file);
  }
}

/** Everything that the program tells until it closes its status descriptor. */
export async function outcomesOf(child: Child, image: Image): Promise<Outcome[]> {
  return readOutcomes(await readToEnd(child), image);
}

function readToEnd(child: Child): Promise<Uint8Array> {
  const pipe = child.pipes[statusDescriptor];
  if (pipe === undefined) throw new TypeError("Cannot read the status: the program has no status descriptor");
  const blocks: Uint8Array[] = [];
  return new Promise((resolve, reject) => {
    pipe.on("data", (block: Uint8Array) => blocks.push(block));
    pipe.once("error", reject);
    pipe.once("close", () => resolve(Buffer.concat(blocks)));
    pipe.once("end", () => {
      resolve(Buffer.concat(blocks));
      pipe.destroy();
    });
  });
}
