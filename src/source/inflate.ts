import { Readable } from "node:stream";

/** Blocks that a deflate stream unpacks to, and how many bytes of its input it took, known once they are read. */
export interface Inflated {
  readonly blocks: AsyncIterable<Uint8Array>;
  /** Where the stream ended in its input; what follows is not part of it. */
  consumed(): number;
}

const chunkBytes = 1 << 16;

/** Unpacks a raw deflate stream block by block, no faster than it is read. A broken stream is BrokenStream. */
export async function inflateRaw(input: AsyncIterable<Uint8Array>): Promise<Inflated> {
  const { createInflateRaw } = await import("node:zlib");
  const engine = createInflateRaw({ chunkSize: chunkBytes });
  return { blocks: unpack(input, engine), consumed: () => engine.bytesWritten };
}

/** The stream does not unpack: cut off, or not deflate at all. */
export class BrokenStream extends Error {
  override readonly name = "BrokenStream";
}

async function* unpack(
  input: AsyncIterable<Uint8Array>,
  engine: NodeJS.ReadWriteStream & { destroy(error?: Error): unknown },
): AsyncIterable<Uint8Array> {
  const source = Readable.from(input, { objectMode: true, highWaterMark: 1 });
  let inputError: unknown;
  source.on("error", (error) => {
    inputError = error;
    engine.destroy(error);
  });
  source.pipe(engine);
  try {
    for await (const block of engine) yield block instanceof Uint8Array ? block : new Uint8Array();
  } catch (error) {
    if (inputError !== undefined) throw inputError;
    if (isZlibError(error)) throw new BrokenStream("The stream cannot be unpacked", { cause: error });
    throw error;
  } finally {
    source.destroy();
    engine.destroy();
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^Z_|^ERR_/.test(String(error.code));
}
