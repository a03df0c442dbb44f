import { createHash } from "node:crypto";
import { GumError } from "../base/errors.ts";
import type { Host, HttpAnswer } from "../host/host.ts";
import { gumVersion } from "../model/version.ts";
import { describeFault, fetchFailed } from "./fetch-failed.ts";
import { intoStaging } from "./into-staging.ts";
import { fetchLimits } from "./limits.ts";

export interface DownloadLimits {
  readonly archiveBytes: number;
  readonly redirects: number;
  readonly totalMs: number;
  readonly silenceMs: number;
}

export interface DownloadOptions {
  readonly url: string;
  /** A file that does not exist yet. */
  readonly target: string;
  readonly signal: AbortSignal;
  /** A token and the one origin that may see it. */
  readonly token?: { readonly origin: string; readonly value: string } | undefined;
  readonly limits?: DownloadLimits | undefined;
  readonly onProgress?: ((done: number, total?: number) => void) | undefined;
}

/** What was written, hashed from the very bytes. */
export interface Downloaded {
  readonly sha256: string;
  readonly size: number;
}

/** Fetches a file over http or https, within bounds on its size, its time and its redirects. */
export async function download(host: Host, options: DownloadOptions): Promise<Downloaded> {
  const limits = options.limits ?? fetchLimits;
  const timer = new Stopwatch(host, options.signal, limits);
  try {
    return await receive(host, options, limits, timer);
  } catch (error) {
    if (error instanceof GumError) throw error;
    options.signal.throwIfAborted();
    throw fetchFailed(hostOf(options.url), timer.expired ?? describeFault(error), error);
  } finally {
    timer.stop();
  }
}

async function receive(
  host: Host,
  options: DownloadOptions,
  limits: DownloadLimits,
  timer: Stopwatch,
): Promise<Downloaded> {
  const answer = await followed(host, options, limits, timer);
  const declared = Number(answer.header("content-length") ?? Number.NaN);
  const total = Number.isSafeInteger(declared) && declared >= 0 ? declared : undefined;
  const tooLarge = (): GumError =>
    fetchFailed(hostOf(options.url), `the file is larger than ${limits.archiveBytes} bytes`);
  if (total !== undefined && total > limits.archiveBytes) throw tooLarge();
  const hash = createHash("sha256");
  let size = 0;
  const file = await intoStaging("fetch", () => host.files.open(options.target, "write-new"));
  try {
    for await (const block of answer.body) {
      timer.heard();
      size += block.length;
      if (size > limits.archiveBytes) throw tooLarge();
      hash.update(block);
      await intoStaging("fetch", () => file.write(block));
      options.onProgress?.(size, total);
    }
  } finally {
    await file.close();
  }
  if (total !== undefined && size !== total)
    throw fetchFailed(hostOf(options.url), `only ${size} of ${total} bytes came`);
  return { sha256: hash.digest("hex"), size };
}

const redirecting = [301, 302, 303, 307, 308];

/** The answer that is no redirect. The token goes to the first address alone, whatever a redirect says. */
async function followed(
  host: Host,
  { url, token }: DownloadOptions,
  limits: DownloadLimits,
  timer: Stopwatch,
): Promise<HttpAnswer> {
  let at = new URL(url);
  for (let hops = 0; ; hops++) {
    const mayKnow = hops === 0 && token !== undefined && at.origin === token.origin;
    const headers = {
      "user-agent": `gum/${gumVersion}`,
      accept: "application/octet-stream, */*",
      ...(mayKnow ? { authorization: `Bearer ${token.value}` } : {}),
    };
    const answer = await host.network.get(at.href, { headers, signal: timer.signal });
    timer.heard();
    if (answer.status === 200) return answer;
    await discard(answer);
    if (!redirecting.includes(answer.status)) throw refusedBy(at, answer.status);
    if (hops === limits.redirects)
      throw fetchFailed(hostOf(url), `it redirects more than ${limits.redirects} times`);
    at = nextAddress(at, answer.header("location"));
  }
}

function nextAddress(from: URL, location: string | undefined): URL {
  const next = location === undefined ? undefined : URL.parse(location, from.href);
  if (next === null || next === undefined) throw fetchFailed(from.host, "it redirects to nowhere");
  if (next.protocol === "http:" && from.protocol === "https:")
    throw fetchFailed(from.host, `it redirects from https to http at ${next.host}`);
  if (next.protocol !== "http:" && next.protocol !== "https:")
    throw fetchFailed(from.host, `it redirects to ${next.protocol}, which is no web address`);
  return next;
}

async function discard(answer: HttpAnswer): Promise<void> {
  for await (const block of answer.body) if (block.length > 0) return;
}

function refusedBy(at: URL, status: number): GumError {
  const hint =
    status === 404 || status === 410
      ? "check the address"
      : status === 401 || status === 403
        ? "the file needs a login: download it yourself and name the file"
        : undefined;
  return fetchFailed(at.host, `the server answered ${status}`, undefined, { status, hint });
}

function hostOf(url: string): string {
  return new URL(url).host;
}

/** Ends a transfer that takes too long as a whole, or in which nothing comes for too long. */
class Stopwatch {
  readonly signal: AbortSignal;
  readonly #host: Host;
  readonly #limits: DownloadLimits;
  readonly #end = new AbortController();
  #silence = new AbortController();
  #expired: string | undefined;

  constructor(host: Host, signal: AbortSignal, limits: DownloadLimits) {
    this.#host = host;
    this.#limits = limits;
    this.signal = AbortSignal.any([signal, this.#end.signal]);
    this.#after(limits.totalMs, this.#end.signal, `it took longer than ${limits.totalMs / 1000} s`);
    this.heard();
  }

  /** Why the time was over, if it was. */
  get expired(): string | undefined {
    return this.#expired;
  }

  /** Something came, so the wait begins anew. */
  heard(): void {
    this.#silence.abort();
    this.#silence = new AbortController();
    const { silenceMs } = this.#limits;
    this.#after(silenceMs, this.#silence.signal, `nothing came for ${silenceMs / 1000} s`);
  }

  stop(): void {
    this.#silence.abort();
    this.#end.abort();
  }

  #after(ms: number, signal: AbortSignal, why: string): void {
    this.#host.clock.sleep(ms, signal).then(
      () => {
        this.#expired ??= why;
        this.stop();
      },
      () => undefined, // stopped in time
    );
  }
}
