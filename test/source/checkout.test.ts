import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Host } from "../../src/host/host.ts";
import { checkout } from "../../src/source/checkout.ts";
import { picture, refusal, tempFolder, testHost } from "../registry/support.ts";
import { Repository } from "./repository.ts";

async function checkedOut(folder: string, url: string, commit: string, host: Host = testHost()) {
  const staging = join(folder, "staging");
  mkdirSync(staging, { recursive: true });
  const { signal } = new AbortController();
  return checkout(host, { url, commit, folder: staging, signal });
}

const withEnv = (env: Record<string, string>): Host => {
  const host = testHost();
  return { ...host, env: { ...host.env, ...env } };
};

/** A folder for the PATH whose git is this script. */
function pathWith(folder: string, script: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "git"), script);
  chmodSync(join(bin, "git"), 0o755);
  return `${bin}:${process.env.PATH}`;
}

describe("a checkout", () => {
  test("T33 has the files of exactly that commit and no repository", async () => {
    using folder = tempFolder();
    const repository = new Repository(join(folder.path, "repo"));
    repository.write({ "manifest.json": "old", "bin/run": "#!/x\n" });
    chmodSync(join(repository.path, "bin/run"), 0o755);
    symlinkSync("bin/run", join(repository.path, "link"));
    const old = repository.commit();
    repository.write({ "manifest.json": "new" });
    repository.commit();
    const tree = await checkedOut(folder.path, `file://${repository.path}`, old);
    const found = picture(tree);
    expect(Object.keys(found)).toEqual(["bin", "bin/run", "link", "manifest.json"]);
    expect([found["manifest.json"]?.slice(4), found.link]).toEqual(["old", "-> bin/run"]);
    expect(found["bin/run"]?.slice(0, 1)).toBe("7");
    expect(readdirSync(join(folder.path, "staging")).sort()).toEqual(["checkout", "git-home"]);
  });

  test("T33 is fetched whole where the server does not hand out single commits", async () => {
    using folder = tempFolder();
    const repository = new Repository(join(folder.path, "repo"));
    repository.write({ a: "1" });
    const first = repository.commit();
    repository.write({ a: "2" });
    repository.commit();
    const log = join(folder.path, "log");
    const script = `#!/bin/sh\necho "$*" >> ${log}\ncase " $* " in *" --depth=1 "*) exit 128;; esac\nPATH="\${PATH#*:}" exec git "$@"\n`;
    const host = withEnv({ PATH: pathWith(folder.path, script) });
    const tree = await checkedOut(folder.path, `file://${repository.path}`, first, host);
    expect(readFileSync(join(tree, "a"), "utf8")).toBe("1");
    expect(readFileSync(log, "utf8").match(/ fetch /g)?.length).toBe(2);
  });

  test("T33 what is not there is told: the repository, the commit, git itself", async () => {
    using folder = tempFolder();
    const repository = new Repository(join(folder.path, "repo"));
    repository.write({ a: "1" });
    const commit = repository.commit();
    const attempt = async (url: string, wanted: string, host?: Host) => {
      using own = tempFolder();
      const { code, message } = await refusal(() => checkedOut(own.path, url, wanted, host));
      return `${code}: ${message.replaceAll(folder.path, "")}`;
    };
    expect(await attempt(`file://${folder.path}/absent`, commit)).toBe(
      "PLUGIN_FETCH_FAILED: The plugin cannot be fetched from /absent: there is no repository.",
    );
    const unknown = "f".repeat(40);
    expect(await attempt(`file://${repository.path}`, unknown)).toBe(
      `PLUGIN_FETCH_FAILED: The plugin cannot be fetched from /repo: no branch or tag of the repository leads to the commit ${unknown}.`,
    );
    expect(await attempt(`file://${repository.path}`, commit, withEnv({ PATH: "/nowhere" }))).toBe(
      "PLUGIN_FETCH_FAILED: There is no git on the PATH to fetch the repository with.",
    );
  });

  test("T33 bounds hold: too large, too late", async () => {
    using folder = tempFolder();
    const repository = new Repository(join(folder.path, "repo"));
    repository.write({ a: "1" });
    const commit = repository.commit();
    const slow = withEnv({ PATH: pathWith(folder.path, "#!/bin/sh\nexec sleep 60\n") });
    const attempt = async (limits: { archiveBytes: number; totalMs: number }) => {
      const own = join(folder.path, `staging-${limits.totalMs}`);
      mkdirSync(own);
      const options = { url: `file://${repository.path}`, commit, folder: own, limits };
      const { signal } = new AbortController();
      return (await refusal(() => checkout(slow, { ...options, signal }))).message;
    };
    expect(await attempt({ archiveBytes: 1000, totalMs: 300 })).toEndWith(": it took longer than 0.3 s.");
    expect(await attempt({ archiveBytes: -1, totalMs: 20_000 })).toEndWith(
      ": the repository is larger than -1 bytes.",
    );
  });

  test("P15 an abort ends git", async () => {
    using folder = tempFolder();
    const stop = new AbortController();
    const started = join(folder.path, "started");
    const script = `#!/bin/sh\necho $$ > ${started}.new && mv ${started}.new ${started}\nexec sleep 60\n`;
    const host = withEnv({ PATH: pathWith(folder.path, script) });
    mkdirSync(join(folder.path, "staging"));
    const options = { url: "file:///x", commit: "a".repeat(40), folder: join(folder.path, "staging") };
    const running = checkout(host, { ...options, signal: stop.signal });
    running.catch(() => undefined);
    while (!existsSync(started)) await Bun.sleep(5);
    stop.abort(new Error("stopped by the test"));
    expect(running).rejects.toThrow("stopped by the test");
    await running.catch(() => undefined);
    const pid = Number(readFileSync(started, "utf8"));
    const isGone = () => {
      try {
        process.kill(pid, 0);
        return false;
      } catch {
        return true;
      }
    };
    for (let waited = 0; !isGone() && waited < 5000; waited += 10) await Bun.sleep(10);
    expect(isGone()).toBe(true);
  });
});

describe("a hostile repository or setting", () => {
  test("T33 nothing of the user's settings runs: hooks, helpers, filters, aliases", async () => {
    using folder = tempFolder();
    const repository = new Repository(join(folder.path, "repo"));
    repository.write({ "a.txt": "plain\n", ".gitattributes": "*.txt filter=evil\n" });
    const commit = repository.commit();
    const proof = join(folder.path, "ran");
    const home = join(folder.path, "home");
    mkdirSync(join(home, "hooks"), { recursive: true });
    writeFileSync(join(home, "hooks/post-checkout"), `#!/bin/sh\ntouch ${proof}-hook\n`);
    chmodSync(join(home, "hooks/post-checkout"), 0o755);
    const settings = [
      `[core]\n\thooksPath = ${home}/hooks\n\tfsmonitor = touch ${proof}-fsmonitor`,
      `[filter "evil"]\n\tsmudge = touch ${proof}-filter; cat\n\trequired = true`,
      `[init]\n\ttemplateDir = ${home}`,
    ];
    writeFileSync(join(home, ".gitconfig"), `${settings.join("\n")}\n`);
    // The control: with these settings git itself runs all of it.
    const control = Bun.spawnSync(
      ["git", "clone", "--quiet", repository.path, join(folder.path, "control")],
      {
        env: { PATH: process.env.PATH ?? "", HOME: home },
        timeout: 20_000,
      },
    );
    expect([control.exitCode, existsSync(`${proof}-hook`), existsSync(`${proof}-filter`)]).toEqual([
      0,
      true,
      true,
    ]);
    for (const what of ["hook", "filter", "fsmonitor"]) Bun.spawnSync(["rm", "-f", `${proof}-${what}`]);
    const host = withEnv({
      HOME: home,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.hooksPath",
      GIT_CONFIG_VALUE_0: `${home}/hooks`,
      GIT_TEMPLATE_DIR: home,
    });
    const tree = await checkedOut(folder.path, `file://${repository.path}`, commit, host);
    expect(readFileSync(join(tree, "a.txt"), "utf8")).toBe("plain\n");
    expect(readdirSync(folder.path).filter((name) => name.startsWith("ran"))).toEqual([]);
  });

  test("T33 files come byte by byte, whatever .gitattributes says, and submodules do not come", async () => {
    using folder = tempFolder();
    const repository = new Repository(join(folder.path, "repo"));
    repository.write({
      ".gitattributes":
        "* text eol=crlf ident\nlfs.bin filter=lfs diff=lfs merge=lfs -text\nutf.txt working-tree-encoding=UTF-16\n",
      "a.txt": "one\ntwo $Id$\n",
      "lfs.bin": "version https://git-lfs.example/spec/v1\noid sha256:0\nsize 1\n",
      ".gitmodules": `[submodule "sub"]\n\tpath = sub\n\turl = file://${folder.path}/elsewhere\n`,
    });
    const first = repository.commit();
    repository.git("update-index", "--add", "--cacheinfo", `160000,${first},sub`);
    repository.git("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", "sub");
    const tree = await checkedOut(
      folder.path,
      `file://${repository.path}`,
      repository.git("rev-parse", "HEAD"),
    );
    expect(readFileSync(join(tree, "a.txt"), "utf8")).toBe("one\ntwo $Id$\n");
    expect(readFileSync(join(tree, "lfs.bin"), "utf8")).toStartWith("version https://git-lfs");
    expect(readdirSync(join(tree, "sub"))).toEqual([]);
  });

  test("T33 only the protocol of the source is used", async () => {
    using folder = tempFolder();
    const marker = join(folder.path, "ran");
    // Not reachable through parseSource; git itself must refuse it as well.
    const { code } = await refusal(() =>
      checkedOut(folder.path, `ext::sh -c touch% ${marker}`, "a".repeat(40)),
    );
    expect([code, existsSync(marker)]).toEqual(["PLUGIN_FETCH_FAILED", false]);
  });
});
