import { expect, test } from "bun:test";
import { findingsError, GumError } from "../../src/base/errors.ts";
import { renderError, renderWarning, viewOfError } from "../../src/cli/render-error.ts";

const render = (error: GumError, colour = false) => renderError(viewOfError(error), colour);

test("L2 an error says what, where with the line, and what to do next", () => {
  const error = new GumError(
    "PLUGIN_ENV_PROHIBITED",
    "needs_user_creds entry 'GUM_PROFILE' on plugin 'fli' is a prohibited env var name.",
    { at: { file: "manifest.toml", line: 14, column: 21, text: 'needs_user_creds = ["GUM_PROFILE"]' } },
  );
  expect(render(error)).toBe(
    [
      "gum: error PLUGIN_ENV_PROHIBITED: needs_user_creds entry 'GUM_PROFILE' on plugin 'fli' is a prohibited env var name.",
      "  at manifest.toml:14:21",
      '  14 | needs_user_creds = ["GUM_PROFILE"]',
      "     |                     ^",
      "  next: remove the name; see `gum help env`",
      "",
    ].join("\n"),
  );
});

test("L2 the error's own hint comes before the code's, and a place may be a file alone", () => {
  const error = new GumError("REGISTRY_IO", "The lock is damaged.", {
    at: { file: "plugins.lock" },
    hint: "roll back",
  });
  expect(render(error)).toBe(
    "gum: error REGISTRY_IO: The lock is damaged.\n  at plugins.lock\n  next: roll back\n",
  );
});

test("L2 every finding is shown, and the same advice once", () => {
  const error = findingsError([
    {
      code: "PLUGIN_MANIFEST_INVALID",
      message: "One.",
      at: { file: "m", line: 1, column: 1, text: "a" },
      hint: "h",
    },
    { code: "PLUGIN_MANIFEST_INVALID", message: "Two.", path: "tools[1].name", hint: "h" },
    { code: "PLUGIN_MANIFEST_INVALID", message: "Three.", path: "x", at: { file: "m", line: 3 } },
  ]);
  expect(render(error)).toBe(
    [
      "gum: error PLUGIN_MANIFEST_INVALID: One.",
      "  at m:1:1",
      "  1 | a",
      "    | ^",
      "gum: error PLUGIN_MANIFEST_INVALID: Two.",
      "  at tools[1].name",
      "gum: error PLUGIN_MANIFEST_INVALID: Three.",
      "  at m:3 (x)",
      "  next: h",
      "gum: 3 findings",
      "",
    ].join("\n"),
  );
});

test("the caret stands under its column when the line holds tabs, and long lines are cut around it", () => {
  const place = (text: string, column: number) =>
    render(new GumError("USAGE", "X.", { at: { file: "f", line: 7, column, text } }))
      .split("\n")
      .slice(2, 4);
  expect(place("\t\tkey = 1", 3)).toEqual(["  7 |   key = 1", "    |   ^"]);
  const [line = "", caret = ""] = place(`${"a".repeat(300)}!${"b".repeat(300)}`, 301);
  expect(line.length).toBeLessThan(115);
  expect(line[caret.indexOf("^")]).toBe("!");
  const [short = "", mark = ""] = place(`${"a".repeat(55)}!b`, 56);
  expect(short[mark.indexOf("^")]).toBe("!");
});

test("E3 words of a plugin cannot move the cursor or start a line of their own", () => {
  const error = new GumError(
    "SERVICE_DOWN",
    "boom\u001b[2J\u001b]0;title\u0007 \u202eevil\r\ngum: all is well\u009b1m",
    {
      at: { file: "a\u001b[31m.json", line: 1, column: 5, text: "abc\u001b\u0007x" },
      hint: "do\nthis",
    },
  );
  expect(render(error)).toBe(
    "gum: error SERVICE_DOWN: boom evil gum: all is well\n  at a.json:1:5\n  1 | abc  x\n    |     ^\n  next: do this\n",
  );
});

test("colours are used only when asked for", () => {
  const error = new GumError("USAGE", "X.", { hint: "h" });
  expect(render(error, true)).toBe("gum: \u001b[1;31merror USAGE\u001b[0m: X.\n  next: h\n");
  expect(renderWarning({ message: "Careful." }, false)).toBe("gum: warning: Careful.\n");
});

test("the plugin's id stands in the advice where it is known", () => {
  const view = viewOfError(new GumError("PLUGIN_QUARANTINED", "X."), { plugin: "hello" });
  expect(view.hint).toBe("see `gum plugin info hello`, then `gum plugin reload hello`");
});
