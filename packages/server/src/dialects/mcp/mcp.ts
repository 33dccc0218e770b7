import type { Server } from "node:http";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { apiError, LIMITS } from "@parlance/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { authenticate } from "../../http/authenticate.ts";
import type { Identify } from "../../http/identify.ts";
import { documented } from "../../openapi/route-docs.ts";
import { MCP_DOCS } from "./docs.ts";

export interface McpParts {
  readonly identify: Identify;
  readonly version: string;
}

/** Nothing changes that a client could subscribe to. */
const MAX_SUBSCRIPTIONS = 1;

/** POST /mcp: the Model Context Protocol over streamable HTTP, without sessions. It needs an API key. */
export function mcpRoutes(http: FastifyInstance, { identify, version }: McpParts): void {
  http.register(async (scope) => {
    scope.addHook("onRequest", async ({ headers }) => {
      // A session of the dashboard is for its own pages.
      if (headers.authorization === undefined) throw apiError("missing_api_key", {});
    });
    authenticate(scope, identify);
    const options = documented(MCP_DOCS, { bodyLimit: LIMITS.ttsBodyBytes });
    scope.post("/mcp", options, (request, reply) => respond(http, version, request, reply));
    // Clients request a stream and end sessions this way; the status means that there are none.
    scope.route({
      method: ["GET", "DELETE"],
      url: "/mcp",
      config: { docs: "none" },
      handler: async (_request, reply) => reply.code(405).header("allow", "POST").send(),
    });
  });
}

/** Loaded by the first request: it takes 16 MB, and once a quarter of a second, in which nothing else is served. */
function loadMcp() {
  return Promise.all([
    import("@modelcontextprotocol/server"),
    import("./tools.ts"),
    import("./route-actions.ts"),
  ] as const);
}

async function respond(
  http: FastifyInstance,
  version: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const [{ createMcpHandler }, { createToolServer }, { createRouteActions }] = await loadMcp();
  const disconnect = new AbortController();
  const { authorization = "" } = request.headers;
  const actions = createRouteActions(originOf(http.server), authorization, disconnect.signal);
  const handler = createMcpHandler(() => createToolServer(actions, version), {
    maxSubscriptions: MAX_SUBSCRIPTIONS,
  });
  reply.raw.once("close", () => {
    disconnect.abort(new Error("the client has disconnected"));
    void handler.close();
  });
  const response = await handler.fetch(toWebRequest(request, disconnect.signal), { parsedBody: request.body });
  reply.code(response.status);
  for (const [name, value] of response.headers) reply.header(name, value);
  const { body } = response;
  // The types of Node and of the DOM describe the same stream.
  return reply.send(body === null ? "" : Readable.fromWeb(body as ReadableStream<Uint8Array>));
}

/** The address of this server for itself. */
function originOf(server: Server): string {
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("the server does not listen on a port");
  const host = ["0.0.0.0", "::"].includes(bound.address) ? "localhost" : bound.address;
  return `http://${host.includes(":") ? `[${host}]` : host}:${bound.port}`;
}

/** The body is passed as it was parsed here, within the bounds of this server. */
function toWebRequest({ method, url, headers }: FastifyRequest, signal: AbortSignal): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name === "content-length" ? [] : [[name, String(value)] as [string, string]],
  );
  return new Request(new URL(url, "http://localhost"), { method, headers: pairs, body: "{}", signal });
}
