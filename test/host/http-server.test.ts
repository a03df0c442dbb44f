import { expect, test } from "bun:test";
import { connect } from "node:net";
import { listen } from "../../src/host/http-server.ts";

const options = { host: "127.0.0.1", port: 0, maxBodyBytes: 1000, requestTimeoutMs: 300, maxConnections: 8 };

/** What comes back until the server ends the connection. */
function exchange(port: number, text: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.setTimeout(20_000, () => reject(new Error("no answer")));
  socket.on("data", (block) => {
    answer += String(block);
  });
  socket.once("error", () => resolve(answer));
  socket.once("close", () => resolve(answer));
  socket.write(text);
  return promise;
}

test("S11 a body that comes too slowly is refused, and so is one that grows too large", async () => {
  let answered = 0;
  const listener = await listen(options, async () => {
    answered++;
    return new Response("ok");
  });
  const head = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
  expect(await exchange(listener.port, `${head}Content-Length: 10\r\n\r\nabc`)).toStartWith("HTTP/1.1 408");
  expect(await exchange(listener.port, `${head}Content-Length: 5000\r\n\r\nabc`)).toStartWith("HTTP/1.1 413");
  const chunk = `${(600).toString(16)}\r\n${"x".repeat(600)}\r\n`;
  const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}`;
  expect(await exchange(listener.port, chunked)).toStartWith("HTTP/1.1 413");
  expect(answered).toBe(0);
  expect(await exchange(listener.port, `${head}Content-Length: 3\r\n\r\nabc`)).toContain("\r\nok\r\n");
  await listener.close();
});

test("an answer is streamed, and its source is let go when the reader leaves", async () => {
  const gone = Promise.withResolvers<void>();
  const listener = await listen(options, async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => stream.enqueue(new TextEncoder().encode("data: 1\n\n")),
      cancel: () => gone.resolve(),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  const control = new AbortController();
  const answer = await fetch(`http://127.0.0.1:${listener.port}/`, { signal: control.signal });
  const reader = answer.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("data: 1\n\n");
  control.abort();
  await gone.promise;
  await listener.close();
});

test("an address that is taken is an errno error", async () => {
  const listener = await listen(options, async () => new Response());
  await expect(listen({ ...options, port: listener.port }, async () => new Response())).rejects.toMatchObject(
    {
      code: "EADDRINUSE",
    },
  );
  await listener.close();
});
