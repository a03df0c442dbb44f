import { GumError } from "../base/errors.ts";
import type { Log } from "../host/host.ts";
import type { Credentials } from "../model/credentials.ts";
import type { PreparedStart } from "../model/prepared-start.ts";
import type { Answer, CallOptions, Peer, Session } from "../model/session.ts";
import { createRedactor, type Redact, redactDeep, redactError } from "../secrets/redact.ts";
import { RpcError } from "../wire/mcp-link.ts";
import { asMcpSession, type McpSession } from "../wire/mcp-session.ts";

/** Takes what gum handed to a plugin out of what the plugin says. */
export interface Guard {
  /** For errors, logs and whatever else is told: every value. */
  readonly tell: Redact;
  /** For answers, which are data: secrets alone, and only those that cannot stand there by chance. */
  readonly answer: Redact;
}

const leastSecretInAnswer = 8;

/** The guard of these credentials; undefined when there is nothing to guard. */
export function guardOf({ found }: Credentials): Guard | undefined {
  if (found.size === 0) return undefined;
  const all = [...found.values()];
  return {
    tell: createRedactor(all.map(({ value }) => value)),
    answer: createRedactor(
      all
        .filter(({ value, secret }) => secret && value.length >= leastSecretInAnswer)
        .map(({ value }) => value),
    ),
  };
}

/** Runs work of the plugin; what it throws is told without the values. */
export async function guarded<T>(guard: Guard, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw cleanError(guard, error);
  }
}

/** A start whose session, and whose failure, is behind the guard; so is what its peer hears. */
export function guardStart<E>(guard: Guard, start: PreparedStart<E>["start"]): PreparedStart<E>["start"] {
  return (options) =>
    guarded(guard, async () =>
      guardSession(guard, await start({ ...options, peer: guardPeer(guard, options.peer) })),
    );
}

/** The session behind the guard, on whatever wire. */
export function guardSession(guard: Guard, session: Session): Session {
  const mcp = asMcpSession(session);
  return mcp === undefined ? guardCalls(guard, session) : guardMcp(guard, mcp);
}

/** The host with a log in which the values do not appear. */
export function guardLog<H extends { readonly log: Log }>(guard: Guard | undefined, host: H): H {
  if (guard === undefined) return host;
  const { log } = host;
  const { tell } = guard;
  return {
    ...host,
    log: {
      level: log.level,
      debug: (message) => log.debug(tell(message)),
      info: (message) => log.info(tell(message)),
      warn: (message) => log.warn(tell(message)),
    },
  };
}

/** Whoever answers the plugin hears what it says without the values. */
export function guardPeer(guard: Guard, peer: Peer | undefined): Peer | undefined {
  if (peer === undefined) return undefined;
  const { request, notification } = peer;
  return {
    ...(request === undefined
      ? {}
      : {
          request: (method, params, signal) =>
            request.call(peer, method, redactDeep(params, guard.tell), signal),
        }),
    ...(notification === undefined
      ? {}
      : {
          notification: (method, params) => notification.call(peer, method, redactDeep(params, guard.tell)),
        }),
  };
}

function guardCalls(guard: Guard, session: Session): Session {
  const { over, probe, stderrTail } = session;
  return {
    ...session,
    ...(probe === undefined ? {} : { probe: (timeoutMs) => guarded(guard, () => probe(timeoutMs)) }),
    ...(stderrTail === undefined ? {} : { stderrTail: () => guard.tell(stderrTail()) }),
    describe: () => guarded(guard, async () => redactDeep(await session.describe(), guard.answer)),
    call: (tool, args, options) =>
      guarded(guard, async () =>
        cleanAnswer(guard, await session.call(tool, args, cleanOptions(guard, options))),
      ),
    ...(over === undefined ? {} : { over: cleanOver(guard, over) }),
  };
}

function guardMcp(guard: Guard, session: McpSession): McpSession {
  const answer = <T>(work: () => Promise<T>): Promise<T> =>
    guarded(guard, async () => redactDeep(await work(), guard.answer));
  return {
    ...session,
    ...guardCalls(guard, session),
    over: cleanOver(guard, session.over),
    refresh: () => answer(() => session.refresh()),
    callRaw: (tool, args, options) => answer(() => session.callRaw(tool, args, cleanOptions(guard, options))),
    listResources: (options) => answer(() => session.listResources(options)),
    listResourceTemplates: (options) => answer(() => session.listResourceTemplates(options)),
    readResource: (uri, options) => answer(() => session.readResource(uri, options)),
    listPrompts: (options) => answer(() => session.listPrompts(options)),
    getPrompt: (name, args, options) => answer(() => session.getPrompt(name, args, options)),
    ping: (options) => guarded(guard, () => session.ping(options)),
    request: (method, params, options) =>
      answer(() => session.request(method, params, cleanOptions(guard, options))),
    notify: (method, params) => guarded(guard, () => session.notify(method, params)),
    stderrTail: () => guard.tell(session.stderrTail()),
  };
}

/** The text as the plugin wrote it goes when something in it had to go: what is left of it is in the payload. */
function cleanAnswer(guard: Guard, answer: Answer): Answer {
  if (!answer.ok) return { ok: false, error: redactDeep(answer.error, guard.tell) };
  const { text, ...rest } = answer;
  const clean = redactDeep(rest, guard.answer);
  return clean === rest ? answer : clean;
}

function cleanOptions<T extends Pick<CallOptions, "onProgress" | "onReply">>(guard: Guard, options: T): T {
  const { onProgress, onReply } = options;
  return {
    ...options,
    ...(onProgress === undefined
      ? {}
      : { onProgress: (progress) => onProgress(redactDeep(progress, guard.tell)) }),
    ...(onReply === undefined ? {} : { onReply: (reply) => onReply(redactDeep(reply, guard.answer)) }),
  };
}

async function cleanOver(guard: Guard, over: Promise<GumError | undefined>): Promise<GumError | undefined> {
  const error = await over;
  return error === undefined ? undefined : redactError(error, guard.tell);
}

function cleanError(guard: Guard, error: unknown): unknown {
  if (error instanceof GumError) return redactError(error, guard.tell);
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    return new RpcError({ code, message: guard.tell(message), data: redactDeep(data, guard.tell) });
  }
  return error;
}
