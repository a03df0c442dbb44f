// A long-lived host of plugins, without a front end: what it may call is fixed when it starts (R13), plugin processes
// stay between calls (W10), and what runs per call was read, parsed and compiled before.
import { GumError, type Warning } from "../base/errors.ts";
import type { CallRequest } from "../model/call.ts";
import type { SuccessEnvelope } from "../model/envelope.ts";
import type { Question } from "../model/question.ts";
import type { Registry, Status, VariantRow } from "../model/registry.ts";
import type { MessageParams, Peer } from "../model/session.ts";
import { openAudit } from "../registry/audit.ts";
import { type Lease, takeLease } from "../registry/leases.ts";
import { rememberedRegistry } from "../registry/remembered.ts";
import { type Snapshot, takeSnapshot } from "../registry/snapshot.ts";
import { referencesOf } from "../registry/write-generation.ts";
import { activeRegistry } from "./activation.ts";
import { askWith } from "./ask.ts";
import { callWith } from "./call.ts";
import { type OpenRuntime, openServerRuntime, registryThrough } from "./call-runtime.ts";
import type { Kernel } from "./kernel.ts";
import { type LoadSummary, loadSummary } from "./load-summary.ts";
import { loadOnce } from "./run.ts";
import { createSearchIndex, type SearchIndex } from "./search-index.ts";
import { createWork } from "./server-work.ts";
import { createSessionPool, type SessionPool } from "./session-pool.ts";
import { singleStart } from "./single-start.ts";

/** What a server may call now: made once for each state of the registry. */
export interface ServerCatalog {
  /** The registry as the snapshot shows it. */
  readonly registry: Registry;
  readonly variants: readonly VariantRow[];
  readonly index: SearchIndex;
  statusOf(plugin: string): Status | undefined;
}

/** One caller of a server. */
export interface ServerClient {
  call(request: CallRequest, options: CallWishes): Promise<SuccessEnvelope>;
  ask(question: Question, signal: AbortSignal): Promise<unknown>;
  /** Ends what was started for this caller alone. */
  close(): Promise<void>;
}

export interface CallWishes {
  readonly signal: AbortSignal;
  readonly onWarning?: ((warning: Warning) => void) | undefined;
}

export interface GumServer {
  readonly kernel: Kernel;
  readonly load: LoadSummary;
  readonly startedAt: number;
  /** Aborted when the server ends. */
  readonly life: AbortSignal;
  /** How much is under way, and how many plugin processes run. */
  counts(): {
    readonly running: number;
    readonly sessions: number;
    readonly calls: number;
    readonly failures: number;
  };
  catalog(): Promise<ServerCatalog>;
  /** The registry on disk as it is now, with each plugin's status for this server. */
  current(): Promise<Pick<ServerCatalog, "registry" | "statusOf">>;
  /** A caller. With peers its plugins run for it alone, so that what they ask back reaches nobody else. */
  client(peerOf?: (plugin: string) => Peer): ServerClient;
  /** Lets what runs end within the time, then ends everything; nothing can be called afterwards. Idempotent. */
  close(graceMs: number): Promise<void>;
}

export interface ServerOptions {
  /** Hears what plugins that run for every caller say by themselves. */
  readonly onNotification?: (plugin: string, method: string, params: MessageParams) => void;
}

const auditLingerMs = 250;

/** Starts a server: activates what may be called, and keeps it from being collected. */
export async function openServer(opened: Kernel, { onNotification }: ServerOptions = {}): Promise<GumServer> {
  const life = new AbortController();
  const { host, profile, config } = opened;
  const kernel: Kernel = { ...opened, signal: life.signal, loaded: loadOnce(opened) };
  const lease = await takeLease(host, profile);
  const { snapshot, load, index } = await begin(opened, lease);

  const audit = openAudit(host, profile, {
    rotateBytes: config["audit.rotate_bytes"],
    lingerMs: auditLingerMs,
  });
  const shared = createSessionPool(host.clock, poolLimits(kernel));
  const sharedStarts = singleStart(shared);
  const view = registryThrough(kernel, snapshot);
  const peerOf = (plugin: string): Peer => ({
    notification: (method, params) => onNotification?.(plugin, method, params),
  });
  const runtime: OpenRuntime = { ...openServerRuntime(kernel, snapshot, sharedStarts), ...view, audit };
  const pools = new Set<SessionPool>([shared]);
  const work = createWork(host.clock, life.signal);

  const client = (ownPeer?: (plugin: string) => Peer): ServerClient => {
    const pool = ownPeer === undefined ? shared : createSessionPool(host.clock, poolLimits(kernel));
    pools.add(pool);
    const sessions = ownPeer === undefined ? sharedStarts : singleStart(pool);
    const own: OpenRuntime = { ...runtime, sessions, peerOf: ownPeer ?? peerOf };
    const during = <T>(start: (own: Kernel) => Promise<T>, caller: AbortSignal): Promise<T> =>
      work.during((signal) => start({ ...kernel, signal }).finally(() => sessions.over(signal)), caller);
    return {
      call: (request, { signal, onWarning }) =>
        during((called) => callWith(called, own, request, onWarning), signal),
      ask: (question, signal) => during((asked) => askWith(asked, own, question), signal),
      async close() {
        if (pool === shared) return;
        pools.delete(pool);
        await pool.close();
      },
    };
  };

  let closing: Promise<void> | undefined;
  const close = async (graceMs: number): Promise<void> => {
    await work.end(graceMs);
    life.abort(
      new GumError("SERVICE_DOWN", "The server is ending.", { details: { cause: "session_closed" } }),
    );
    await Promise.all([...pools].map((pool) => pool.close()));
    await work.settled();
    await runtime.close();
    await audit.close();
    await lease.release();
  };
  return {
    kernel,
    load,
    startedAt: host.clock.now(),
    life: life.signal,
    counts: () => ({ ...work.counts(), sessions: [...pools].reduce((sum, pool) => sum + pool.size, 0) }),
    catalog: catalogOf(view, index),
    async current() {
      await view.registry(); // what was removed meanwhile is forgotten first
      const registry = await rememberedRegistry(host, profile);
      return { registry, statusOf: (plugin) => view.statusOf(registry, plugin) };
    },
    client,
    close(graceMs) {
      closing ??= close(graceMs);
      return closing;
    },
  };
}

function poolLimits({ config }: Kernel) {
  return { idleMs: config["sessions.idle_seconds"] * 1000 };
}

interface Begun {
  readonly snapshot: Snapshot;
  readonly load: LoadSummary;
  readonly index: ReadyIndex;
}

interface ReadyIndex {
  readonly registry: Registry;
  readonly variants: readonly VariantRow[];
  readonly index: SearchIndex;
}

/** Reads the registry under a lease on everything, and narrows the lease to what the snapshot needs. */
async function begin(kernel: Kernel, lease: Lease): Promise<Begun> {
  try {
    const begun = await activateAll(kernel);
    await lease.hold(referencesOf(begun.snapshot.registry));
    return begun;
  } catch (error) {
    await lease.release();
    throw error;
  }
}

async function activateAll(kernel: Kernel): Promise<Begun> {
  const { clock } = kernel.host;
  const times = [clock.monotonic()];
  const registry = await activeRegistry(kernel);
  times.push(clock.monotonic());
  const snapshot = takeSnapshot(registry);
  times.push(clock.monotonic());
  const variants = registry.catalog.variants.filter((variant) => snapshot.active.has(variant.owner_plugin));
  const index = createSearchIndex(variants);
  times.push(clock.monotonic());
  const [start = 0, read = 0, taken = 0, indexed = 0] = times;
  const load = loadSummary(registry, snapshot, {
    validationMs: read - start,
    reconcileMs: taken - read,
    registerMs: indexed - taken,
  });
  return { snapshot, load, index: { registry, variants, index } };
}

/** The catalog of the moment; another index is made only when another set of operations may be called. */
function catalogOf(
  view: Pick<OpenRuntime, "registry" | "statusOf">,
  first: ReadyIndex,
): () => Promise<ServerCatalog> {
  let last: ReadyIndex = first;
  let made: ServerCatalog | undefined;
  return async () => {
    const registry = await view.registry();
    if (made?.registry === registry) return made;
    const statusOf = (plugin: string): Status | undefined => view.statusOf(registry, plugin);
    const variants = registry.catalog.variants.filter(
      ({ owner_plugin }) => statusOf(owner_plugin) === "active",
    );
    const index = sameVariants(variants, last.variants) ? last.index : createSearchIndex(variants);
    last = { registry, variants, index };
    made = { registry, variants, index, statusOf };
    return made;
  };
}

function sameVariants(a: readonly VariantRow[], b: readonly VariantRow[]): boolean {
  return (
    a.length === b.length &&
    a.every((row, at) => row === b[at] || JSON.stringify(row) === JSON.stringify(b[at]))
  );
}
