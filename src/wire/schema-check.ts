// W30: values against a plugin's schemas. Plain schemas are checked at once and in bounded time; all others by a child
// process with a deadline, one for each plugin, so that a hostile schema stalls neither gum nor another plugin.

import { jsonDigest } from "../base/digest.ts";
import { GumError } from "../base/errors.ts";
import { isRecord } from "../base/record.ts";
import type { Child, Host } from "../host/host.ts";
import { LineReader } from "./line-reader.ts";
import { maxCheckBytes } from "./schema-child.ts";
import type { Violation } from "./schema-keywords.ts";
import { compilePlain, type PlainCheck } from "./schema-plain.ts";

export type { Violation };

/** How a check went: the violations, none when it fits; or that the schema itself cannot be used. */
export type Verdict =
  | { readonly kind: "checked"; readonly violations: readonly Violation[] }
  | { readonly kind: "broken"; readonly reason: string }
  | { readonly kind: "too_slow"; readonly deadlineMs: number };

export interface SchemaChecker {
  /** Checks a value; `lane` is the plugin whose schema it is. */
  check(lane: string, schema: unknown, value: unknown): Promise<Verdict>;
  /** Ends the children. */
  close(): Promise<void>;
}

export interface CheckerOptions {
  /** Starts the program that runs `serveSchemaChecks` on its stdin and stdout. */
  readonly startChild: () => Promise<Child>;
  readonly deadlineMs?: number | undefined;
}

const maxRemembered = 1000;
/** For the child to be ready; its start is not the schema's fault. */
const startMs = 10_000;

/** A checker that compiles each schema once. */
export function createSchemaChecker(clock: Host["clock"], options: CheckerOptions): SchemaChecker {
  const plain = new Map<string, PlainCheck | undefined>();
  const lanes = new Map<string, CheckLane>();
  const keys = new WeakMap<object, string>();
  const deadlineMs = options.deadlineMs ?? 1000;
  return {
    async check(lane, schema, value) {
      const key = keyOf(keys, schema);
      if (!plain.has(key)) {
        if (plain.size >= maxRemembered) plain.clear();
        plain.set(key, compilePlain(schema));
      }
      const violations = plain.get(key)?.(value);
      if (violations !== undefined) return { kind: "checked", violations };
      const open = lanes.get(lane) ?? new CheckLane(clock, options.startChild, deadlineMs);
      lanes.set(lane, open);
      return open.check(key, schema, value);
    },
    async close() {
      await Promise.all([...lanes.values()].map((lane) => lane.close()));
      lanes.clear();
    },
  };
}

/** The digest of a schema; a caller that keeps the parsed schema does not pay for it again. */
function keyOf(keys: WeakMap<object, string>, schema: unknown): string {
  if (typeof schema !== "object" || schema === null) return jsonDigest(schema);
  const key = keys.get(schema) ?? jsonDigest(schema);
  keys.set(schema, key);
  return key;
}

/** The refusal of arguments that do not fit (D5), with every violation. */
export function argumentsError(op: string, violations: readonly Violation[]): GumError {
  const [first] = violations;
  const where = first === undefined || first.pointer === "" ? "the arguments" : first.pointer;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : "";
  return new GumError(
    "INVALID_ARGS",
    `The arguments of ${op} do not fit: ${where} ${first?.message ?? "is wrong"}${more}.`,
    {
      details: { violations },
      retryable: false,
    },
  );
}

/** One plugin's child; checks wait for each other. */
class CheckLane {
  readonly #clock: Host["clock"];
  readonly #start: () => Promise<Child>;
  readonly #deadlineMs: number;
  #last: Promise<unknown> = Promise.resolve();
  #child: CheckChild | undefined;

  constructor(clock: Host["clock"], start: () => Promise<Child>, deadlineMs: number) {
    this.#clock = clock;
    this.#start = start;
    this.#deadlineMs = deadlineMs;
  }

  check(key: string, schema: unknown, value: unknown): Promise<Verdict> {
    const turn = this.#last.then(() => this.#run(key, schema, value));
    this.#last = turn.catch(() => undefined); // the caller of that turn is told
    return turn;
  }

  async close(): Promise<void> {
    await this.#child?.end();
    this.#child = undefined;
  }

  async #run(key: string, schema: unknown, value: unknown): Promise<Verdict> {
    this.#child ??= new CheckChild(await this.#start());
    const child = this.#child;
    const failed = await this.#within(startMs, child.ready);
    const verdict = failed ?? (await this.#within(this.#deadlineMs, child.ask(key, schema, value)));
    if (child.ended || verdict?.kind === "too_slow") await this.close();
    return verdict ?? { kind: "broken", reason: "The checking process did not answer" };
  }

  async #within<T>(ms: number, work: Promise<T>): Promise<T | Verdict> {
    const stop = new AbortController();
    const late: Promise<Verdict> = this.#clock.sleep(ms, stop.signal).then(
      () => ({ kind: "too_slow", deadlineMs: ms }),
      () => ({ kind: "too_slow", deadlineMs: ms }), // nobody listens any more
    );
    const first = await Promise.race([work, late]);
    stop.abort();
    return first;
  }
}

class CheckChild {
  readonly #child: Child;
  readonly #sent = new Set<string>();
  /** Settles with nothing when checks can be asked for, with the reason when the child has ended before. */
  readonly ready: Promise<Verdict | undefined>;
  ended = false;
  #settleReady: (failed: Verdict | undefined) => void;
  #waiting: ((verdict: Verdict) => void) | undefined;

  constructor(child: Child) {
    this.#child = child;
    const { promise, resolve } = Promise.withResolvers<Verdict | undefined>();
    this.ready = promise;
    this.#settleReady = resolve;
    const reader = new LineReader(maxCheckBytes, {
      line: (text) => this.#onLine(JSON.parse(text)),
      fault: (fault) => this.#settle({ kind: "broken", reason: `The check's answer is malformed: ${fault}` }),
    });
    child.pipes[1]?.on("data", (chunk: Uint8Array) => reader.push(chunk));
    child.pipes[0]?.on("error", () => undefined); // told by the exit
    child.exited.then(() => this.#onExit());
  }

  ask(key: string, schema: unknown, value: unknown): Promise<Verdict> {
    const { promise, resolve } = Promise.withResolvers<Verdict>();
    this.#waiting = resolve;
    const request = this.#sent.has(key) ? { key, value } : { key, schema, value };
    this.#sent.add(key);
    this.#child.pipes[0]?.write(`${JSON.stringify(request)}\n`);
    return promise;
  }

  async end(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }

  #onLine(message: unknown): void {
    if (isRecord(message) && message.ready === true) this.#settleReady(undefined);
    else this.#settle(readVerdict(message));
  }

  #onExit(): void {
    this.ended = true;
    const gone: Verdict = { kind: "broken", reason: "The checking process ended" };
    this.#settleReady(gone);
    this.#settle(gone);
  }

  #settle(verdict: Verdict): void {
    this.#waiting?.(verdict);
    this.#waiting = undefined;
  }
}

function readVerdict(reply: unknown): Verdict {
  if (isRecord(reply) && Array.isArray(reply.violations)) {
    return { kind: "checked", violations: reply.violations.flatMap(readViolation) };
  }
  const reason = isRecord(reply) && typeof reply.broken === "string" ? reply.broken : "No verdict";
  return { kind: "broken", reason };
}

function readViolation(value: unknown): Violation[] {
  if (!isRecord(value) || typeof value.pointer !== "string" || typeof value.message !== "string") return [];
  return [{ pointer: value.pointer, message: value.message }];
}
