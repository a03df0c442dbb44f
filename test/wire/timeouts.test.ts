import { expect, test } from "bun:test";
import { callTimeout, defaultTimeouts } from "../../src/wire/timeouts.ts";

test("W3 the defaults are ten seconds to connect and sixty for a call", () => {
  expect(defaultTimeouts).toEqual({ connectMs: 10_000, callMs: 60_000 });
  expect(callTimeout({})).toBe(60_000);
});

test("W3 a plugin may lower the limit, and raise it only where config allows", () => {
  expect(callTimeout({ pluginMs: 5000 })).toBe(5000);
  expect(callTimeout({ pluginMs: 90_000 })).toBe(60_000);
  expect(callTimeout({ pluginMs: 90_000, pluginMayRaise: true })).toBe(90_000);
  expect(callTimeout({ pluginMs: null, configuredMs: 30_000 })).toBe(30_000);
  expect(callTimeout({ pluginMs: 40_000, configuredMs: 30_000 })).toBe(30_000);
});

test("W3 the caller of one call may choose its time", () => {
  expect(callTimeout({ requestedMs: 120_000, pluginMs: 5000 })).toBe(120_000);
});
