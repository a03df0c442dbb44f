// One suite for every wire: what the rest of gum may rely on, whichever of them a plugin speaks.
import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Shape, Tool } from "../../src/model/plugin.ts";
import type { Plumbing, Session } from "../../src/model/session.ts";
import { countsAsCrash } from "../../src/wire/failure.ts";
import { mapPluginError } from "../../src/wire/map-error.ts";
import { wireOf, wires } from "../../src/wire/wires.ts";
import { endAll, failureOf, host, runs, startProgram, until } from "./start.ts";

afterEach(endAll);

const soon = { timeoutMs: 5000 };
const toolNames = ["echo", "refuse", "crash", "hang", "garbage"];

function tool(name: string): Tool {
  return {
    name,
    title: null,
    description: `Tool ${name}.`,
    op_id: `contract.${name}`,
    variant_id: `contract.${name}.v1`,
    backend_kind: "test",
    interface_kind: "test",
    risk_class: "read",
    confirmation_policy: "none",
    capabilities: [],
    scopes: [],
    schema_ref: null,
    output_profile: null,
    raw_result_allowed: false,
    token_budget_exception: null,
    null_elision_safe_fields: [],
    execution_support: null,
  };
}

const handshake = {
  protocol: "rterm.plugin.v1",
  plugin_id: "contract",
  launch_timeout_ms: 2000,
  handshake_timeout_ms: 5000,
  timeout_ms: 5000,
  teardown_timeout_ms: 1000,
};

/** Each wire with a plugin that does the same over it. */
const table: readonly (readonly [shape: Shape, puppet: string])[] = [
  ["mcp-plugin", "contract-mcp.py"],
  ["jsonl-plugin", "contract-jsonl.py"],
  ["handshake-plugin", "contract-side.py"],
];

test("every wire of the table keeps the contract", () => {
  const known = Object.keys(wires).filter((shape) => shape !== "esm-plugin");
  expect(known.toSorted()).toEqual(table.map(([shape]) => shape).toSorted());
});

describe.each(table)("%s", (shape, puppet) => {
  const started: Plumbing[] = [];
  const open = (): Promise<Session> =>
    wireOf(shape).open(
      { ...host, randomHex: (digits) => "0".repeat(digits) },
      {
        plugin: {
          id: "contract",
          tools: toolNames.map(tool),
          handshake: shape === "handshake-plugin" ? handshake : null,
          timeout_ms: 1000,
        },
        granted: [],
        version: "0.3.0",
        launch: async () => {
          const file = join(import.meta.dir, "puppets", puppet);
          const plumbing = startProgram("/usr/bin/python3", ["-I", "-S", file]);
          started.push(plumbing);
          return plumbing;
        },
        signal: new AbortController().signal,
      },
    );
  const last = (): Plumbing => {
    const plumbing = started.at(-1);
    if (plumbing === undefined) throw new Error("Nothing was started");
    return plumbing;
  };

  test("W7 the tools of the manifest are described", async () => {
    const session = await open();
    const { tools, rejected } = await session.describe();
    expect([tools.map(({ name }) => name), rejected]).toEqual([toolNames, []]);
    await session.close();
  });

  test("W1 a call is answered whatever stderr says, and the payload is an envelope", async () => {
    const session = await open();
    const answer = await session.call("echo", { n: 1, text: "é" }, soon);
    if (!answer.ok) throw new Error("Expected an answer");
    expect(answer.payload).toEqual({ success: true, data: { n: 1, text: "é" } });
    expect(JSON.parse(answer.text ?? "")).toEqual({ success: true, data: { n: 1, text: "é" } });
    await session.close();
  });

  test("W9 the plugin's own refusal is an answer with a stable code, and no crash", async () => {
    const session = await open();
    const answer = await session.call("refuse", {}, soon);
    if (answer.ok) throw new Error("Expected a refusal");
    const error = mapPluginError(answer.error);
    expect([error.code, error.message, error.info.retryable]).toEqual(["INVALID_ARGS", "no", false]);
    await session.close();
  });

  test("W3 a call that takes too long is PLUGIN_TIMEOUT", async () => {
    const session = await open();
    const error = await failureOf(session.call("hang", {}, { timeoutMs: 200 }));
    expect([error.code, countsAsCrash(error), error.info.details?.timeout_ms]).toEqual([
      "PLUGIN_TIMEOUT",
      false,
      200,
    ]);
    last().end();
    await session.close();
  });

  test("W27 a crash in a call is SERVICE_DOWN with its cause, exit and last words, and the session is over", async () => {
    const session = await open();
    const error = await failureOf(session.call("crash", {}, soon));
    const { cause, exit, stderr_tail } = error.info.details ?? {};
    expect([error.code, cause, exit, countsAsCrash(error)]).toEqual([
      "SERVICE_DOWN",
      "exit_code",
      { code: 9, signal: null },
      true,
    ]);
    expect(String(stderr_tail)).toContain("noise on stderr\n");
    expect(await session.over).toBe(error);
    expect((await failureOf(session.call("echo", {}, soon))).code).toBe("SERVICE_DOWN");
    await session.close();
  });

  test("W5 what cannot be decoded is never taken for success, and is shown", async () => {
    const session = await open();
    const error = await failureOf(session.call("garbage", {}, soon));
    expect(error.code).toBe("SERVICE_DOWN");
    expect(error.message).toContain('"this is no message"');
    await session.close();
  });

  test("W4 closing is idempotent, leaves no process, and later calls say so", async () => {
    const session = await open();
    await Promise.all([session.close(), session.close()]);
    await session.close();
    await until(async () => !(await runs(last().pid)));
    expect(await session.over).toBeUndefined();
    expect((await failureOf(session.call("echo", {}, soon))).info.details?.cause).toBe("session_closed");
  });

  test("an aborted call rejects with the caller's own reason", async () => {
    const session = await open();
    const stop = new AbortController();
    const waiting = session.call("hang", {}, { ...soon, signal: stop.signal });
    stop.abort("enough");
    expect(await waiting.catch((reason: unknown) => reason)).toBe("enough");
    last().end();
    await session.close();
  });
});
