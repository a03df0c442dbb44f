import { expect, test } from "bun:test";
import { isDeniedEnv, looksSecret } from "../../src/model/env-denylist.ts";

test("T13 the denylist is exact and by case", () => {
  for (const name of [
    "GUM_",
    "GUM_X",
    "_GUM",
    "_GUMMY",
    "LD_PRELOAD",
    "DYLD_X",
    "BUN_X",
    "ENV",
    "NODE_OPTIONS",
  ]) {
    expect({ name, denied: isDeniedEnv(name) }).toEqual({ name, denied: true });
  }
  for (const name of [
    "",
    "GUM",
    "gum_x",
    "XGUM_",
    "LD",
    "ENVX",
    "env",
    "Node_Options",
    "AWS_SECRET_ACCESS_KEY",
  ]) {
    expect({ name, denied: isDeniedEnv(name) }).toEqual({ name, denied: false });
  }
});

test("M24 names that end like secrets look secret", () => {
  for (const name of [
    "GITHUB_TOKEN",
    "X_SECRET",
    "DB_PASSWORD",
    "MY_API_KEY",
    "COOKIE",
    "AWS_SECRET_ACCESS_KEY",
  ]) {
    expect({ name, secret: looksSecret(name) }).toEqual({ name, secret: true });
  }
  for (const name of ["TOKENS", "USER_AGENT", "KEY", "SECRET_NAME"]) {
    expect({ name, secret: looksSecret(name) }).toEqual({ name, secret: false });
  }
});
