import type { GetOptions, HttpAnswer, Network } from "./host.ts";

/** The real network. Both runtimes take HTTP_PROXY, HTTPS_PROXY and NO_PROXY from the environment by themselves. */
export const realNetwork: Pick<Network, "get"> = { get };

// Bun alone knows `decompress`; Deno leaves a body as it is once a request names its encodings itself.
const asTheyAre = { redirect: "manual", decompress: false } as const;

async function get(url: string, { headers, signal }: GetOptions): Promise<HttpAnswer> {
  const answer = await fetch(url, {
    ...asTheyAre,
    headers: { "accept-encoding": "identity", ...headers },
    signal,
  });
  return {
    status: answer.status,
    header: (name) => answer.headers.get(name) ?? undefined,
    body: bodyOf(answer),
  };
}

async function* bodyOf({ body }: Response): AsyncIterable<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Settles the connection of a body that nobody wants to the end; a body that was read is past that.
    await reader.cancel().catch(() => undefined);
  }
}
