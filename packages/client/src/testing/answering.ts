import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { Parlance } from "../index.ts";

/** A client of a plain HTTP server with fixed responses. tests/clients tests the client with the real server. */
export async function answering(
  context: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  timeoutMs?: number,
): Promise<Parlance> {
  const server = createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return new Parlance({ baseUrl: `http://127.0.0.1:${port}/`, apiKey: "the-key", timeoutMs });
}

const NO_SERVER = "http://127.0.0.1:1";

/** A client that gets the same response to every request, without a server, and the paths that it has requested. */
export function answeredWith(body: unknown) {
  const requestedPaths: string[] = [];
  const client = new Parlance({
    baseUrl: NO_SERVER,
    apiKey: "k",
    fetch: async (url) => {
      requestedPaths.push(String(url).slice(NO_SERVER.length));
      return Response.json(body);
    },
  });
  return { client, requestedPaths };
}
