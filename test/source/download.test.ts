import { afterAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Host, HttpAnswer } from "../../src/host/host.ts";
import { type DownloadLimits, download } from "../../src/source/download.ts";
import { errno, refusal, tempFolder, testHost } from "../registry/support.ts";

type Answerer = (request: IncomingMessage, response: ServerResponse) => void;

const pages = new Map<string, Answerer>();
const seen: { url: string; authorization: string | undefined; agent: string | undefined }[] = [];
const server = createServer((request, response) => {
  const url = request.url ?? "";
  seen.push({ url, authorization: request.headers.authorization, agent: request.headers["user-agent"] });
  const answer = pages.get(url);
  if (answer === undefined) response.writeHead(404).end("nothing");
  else answer(request, response);
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;
const base = `http://127.0.0.1:${port}`;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const limits: DownloadLimits = { archiveBytes: 1_000_000, redirects: 5, totalMs: 10_000, silenceMs: 5_000 };
const body = new Uint8Array(300_000).map((_, at) => at % 251);
pages.set("/file", (_, response) => response.end(body));
pages.set("/packed", (_, response) =>
  response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(body)),
);
const redirect = (from: string, to: string, status = 302) =>
  pages.set(from, (_, response) => response.writeHead(status, { location: to }).end("moved"));
redirect("/r1", "/r2");
redirect("/r2", "/r3", 301);
redirect("/r3", "/r4", 307);
redirect("/r4", "/r5", 308);
redirect("/r5", `${base}/file`, 303);
redirect("/loop", "/loop");
redirect("/elsewhere", "ftp://127.0.0.1/x");
pages.set("/nowhere", (_, response) => response.writeHead(302).end());

interface Fetching {
  readonly limits?: Partial<DownloadLimits>;
  readonly host?: Host;
  readonly token?: { origin: string; value: string };
  readonly signal?: AbortSignal;
}

async function fetched(url: string, more: Fetching = {}) {
  using folder = tempFolder();
  const target = join(folder.path, "archive");
  const progress: [number, number | undefined][] = [];
  const result = await download(more.host ?? testHost(), {
    url,
    target,
    signal: more.signal ?? new AbortController().signal,
    token: more.token,
    limits: { ...limits, ...more.limits },
    onProgress: (done, total) => void progress.push([done, total]),
  });
  return { ...result, bytes: readFileSync(target), progress };
}

const failure = async (url: string, more: Fetching = {}) => {
  const { code, message } = await refusal(() => fetched(url, more));
  return `${code}: ${message}`;
};
const failed = (why: string) =>
  `PLUGIN_FETCH_FAILED: The plugin cannot be fetched from 127.0.0.1:${port}: ${why}.`;

describe("a download", () => {
  test("T26 arrives whole, hashed from the bytes that were written", async () => {
    const { sha256, size, bytes, progress } = await fetched(`${base}/file`);
    expect(bytes.equals(body)).toBe(true);
    expect([sha256, size]).toEqual([createHash("sha256").update(body).digest("hex"), 300_000]);
    expect(progress.at(-1)?.[0]).toBe(300_000);
    expect(seen.at(-1)?.agent).toMatch(/^gum\/\d/);
  });

  test("T26 is not decoded: the digest is that of the file itself", async () => {
    const { size, bytes } = await fetched(`${base}/packed`);
    expect([size, bytes[0], bytes[1]]).toEqual([gzipSync(body).length, 0x1f, 0x8b]);
  });

  test("T26 follows five redirects and no more", async () => {
    expect((await fetched(`${base}/r1`)).size).toBe(300_000);
    redirect("/r0", "/r1");
    expect(await failure(`${base}/r0`)).toBe(failed("it redirects more than 5 times"));
    expect(await failure(`${base}/loop`)).toBe(failed("it redirects more than 5 times"));
  });

  test("T26 never goes from https to http, nor to what is no web address", async () => {
    const answer = (status: number, location?: string): HttpAnswer => ({
      status,
      header: (name) => (name === "location" ? location : undefined),
      body: (async function* () {})(),
    });
    const asked: string[] = [];
    const network = {
      ...testHost().network,
      async get(url: string) {
        asked.push(url);
        return answer(302, `${base}/file`);
      },
    };
    expect(await failure("https://example.com/x", { host: { ...testHost(), network } })).toBe(
      `PLUGIN_FETCH_FAILED: The plugin cannot be fetched from example.com: it redirects from https to http at 127.0.0.1:${port}.`,
    );
    expect(asked).toEqual(["https://example.com/x"]);
    expect(await failure(`${base}/elsewhere`)).toBe(failed("it redirects to ftp:, which is no web address"));
    expect(await failure(`${base}/nowhere`)).toBe(failed("it redirects to nowhere"));
  });

  test("T33 an answer that is no file is told by its status", async () => {
    pages.set("/closed", (_, response) => response.writeHead(403).end());
    pages.set("/partial", (_, response) => response.writeHead(206).end("x"));
    expect(await failure(`${base}/absent`)).toBe(failed("the server answered 404"));
    expect(await failure(`${base}/closed`)).toBe(failed("the server answered 403"));
    expect(await failure(`${base}/partial`)).toBe(failed("the server answered 206"));
  });
});

describe("bounds of a download", () => {
  test("T26 a file that says it is too large is not read, and one that does not say it is stopped", async () => {
    let sent = 0;
    pages.set("/huge", (_, response) => response.writeHead(200, { "content-length": "2000000" }).write("x"));
    pages.set("/endless", (_, response) => {
      const block = new Uint8Array(65_536);
      const more = (): void => {
        while (!response.destroyed && response.write(block)) sent += block.length;
        response.once("drain", more);
      };
      more();
    });
    expect(await failure(`${base}/huge`)).toBe(failed("the file is larger than 1000000 bytes"));
    expect(await failure(`${base}/endless`)).toBe(failed("the file is larger than 1000000 bytes"));
    expect(sent).toBeLessThan(64_000_000);
  });

  test("T26 a server that falls silent is left, before and within the file", async () => {
    pages.set("/mute", () => undefined);
    pages.set("/stalls", (_, response) => response.writeHead(200, { "content-length": "100" }).write("half"));
    const quick = { limits: { silenceMs: 300 } };
    expect(await failure(`${base}/mute`, quick)).toBe(failed("nothing came for 0.3 s"));
    expect(await failure(`${base}/stalls`, quick)).toBe(failed("nothing came for 0.3 s"));
  });

  test("T26 a server that trickles is left when the whole takes too long", async () => {
    pages.set("/trickle", (_, response) => {
      const timer = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(timer));
    });
    expect(await failure(`${base}/trickle`, { limits: { totalMs: 400 } })).toBe(
      failed("it took longer than 0.4 s"),
    );
  });

  test("T26 a file that breaks off is refused", async () => {
    pages.set("/cut", (_, response) => {
      response.writeHead(200, { "content-length": "1000" }).write("half", () => response.destroy());
    });
    expect(await failure(`${base}/cut`)).toMatch(/^PLUGIN_FETCH_FAILED: /);
  });

  test("P15 an abort ends it at once", async () => {
    const stop = new AbortController();
    pages.set("/waits", (_, response) =>
      response.write("x", () => stop.abort(new Error("stopped by the test"))),
    );
    expect(fetched(`${base}/waits`, { signal: stop.signal })).rejects.toThrow("stopped by the test");
  });

  test("T33 a host that is not there is told", async () => {
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, "127.0.0.1", resolve));
    const { port: closed } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    expect(await failure(`http://127.0.0.1:${closed}/x`)).toBe(
      `PLUGIN_FETCH_FAILED: The plugin cannot be fetched from 127.0.0.1:${closed}: the connection was refused.`,
    );
  });

  test("R9 a full disk is the registry's fault", async () => {
    const real = testHost();
    const files = {
      ...real.files,
      open: async (...args: Parameters<typeof real.files.open>) => ({
        ...(await real.files.open(...args)),
        write: () => Promise.reject(errno("ENOSPC")),
      }),
    };
    expect(await failure(`${base}/file`, { host: { ...real, files } })).toBe(
      "REGISTRY_IO: Cannot fetch into the registry's folders: ENOSPC.",
    );
  });
});

describe("the marketplace token", () => {
  const token = { origin: base, value: "sesame" };
  const told = () => seen.splice(0).map(({ url, authorization }) => [url, authorization]);

  test("W26 goes to its own origin and never across a redirect, not even back to the same one", async () => {
    seen.length = 0;
    await fetched(`${base}/file`, { token });
    expect(told()).toEqual([["/file", "Bearer sesame"]]);
    await fetched(`${base}/r5`, { token });
    expect(told()).toEqual([
      ["/r5", "Bearer sesame"],
      ["/file", undefined],
    ]);
    await fetched(`${base}/file`, { token: { ...token, origin: `http://localhost:${port}` } });
    expect(told()).toEqual([["/file", undefined]]);
  });
});

describe("proxies", () => {
  // The variables are read when the runtime starts, so each case is a process of its own.
  async function throughProxy(env: Record<string, string>): Promise<string> {
    const script = `
      import { createHost } from "./src/host/real.ts";
      const answer = await createHost().network.get(process.argv[1], { signal: AbortSignal.timeout(5000) });
      let text = "";
      for await (const block of answer.body) text += new TextDecoder().decode(block);
      console.log(answer.status, text);`;
    const url = env.DIRECT ?? "http://nowhere.invalid/file";
    const child = Bun.spawn([process.execPath, "-e", script, url], {
      env: { PATH: process.env.PATH ?? "", ...env },
      stdout: "pipe",
      stderr: "pipe",
      timeout: 10_000,
    });
    return (await new Response(child.stdout).text()).trim();
  }

  test("T26 HTTP_PROXY and http_proxy are used, and NO_PROXY is honoured", async () => {
    pages.set("http://nowhere.invalid/file", (_, response) => response.end("by the proxy"));
    pages.set("/direct", (_, response) => response.end("straight"));
    const gone = "http://127.0.0.1:1";
    expect(await throughProxy({ HTTP_PROXY: base })).toBe("200 by the proxy");
    expect(await throughProxy({ http_proxy: base })).toBe("200 by the proxy");
    expect(await throughProxy({ HTTP_PROXY: gone, NO_PROXY: "127.0.0.1", DIRECT: `${base}/direct` })).toBe(
      "200 straight",
    );
    expect(await throughProxy({ HTTP_PROXY: gone, DIRECT: `${base}/direct` })).toBe("");
  });
});

test("T26 a download that failed leaves no open file behind", async () => {
  using folder = tempFolder();
  const target = join(folder.path, "archive");
  const { signal } = new AbortController();
  await refusal(() => download(testHost(), { url: `${base}/absent`, target, signal, limits }));
  expect(existsSync(target)).toBe(false);
});
