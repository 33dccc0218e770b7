import type { Server } from "node:http";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { apiError, LIMITS } from "@parlance/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ActiveRequests } from "../../http/active-requests.ts";
import { authenticate } from "../../http/authenticate.ts";
import { abortOnDisconnect } from "../../http/disconnect.ts";
import type { Identify } from "../../http/identify.ts";
import { limitLargeBodies } from "../../http/large-bodies.ts";
import { documented } from "../../openapi/route-docs.ts";
import { MCP_DOCS } from "./docs.ts";

export interface McpParts {
  readonly identify: Identify;
  readonly version: string;
  readonly activeRequests: ActiveRequests;
  /** Loads the code that answers. */
  readonly load?: typeof loadMcp;
}

/** Nothing changes that a client could subscribe to. */
const MAX_SUBSCRIPTIONS = 1;

/** POST /mcp: the Model Context Protocol over streamable HTTP, without sessions. It needs an API key. */
export function mcpRoutes(http: FastifyInstance, parts: McpParts): void {
  http.register(async (scope) => {
    scope.addHook("onRequest", async ({ headers }) => {
      // A session of the dashboard is for its own pages.
      if (headers.authorization === undefined) throw apiError("missing_api_key", {});
    });
    authenticate(scope, parts.identify);
    limitLargeBodies(scope);
    const options = documented(MCP_DOCS, { bodyLimit: LIMITS.ttsBodyBytes });
    scope.post("/mcp", options, (request, reply) => respond(http, parts, request, reply));
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
export function loadMcp() {
  return Promise.all([
    import("@modelcontextprotocol/server"),
    import("./tools.ts"),
    import("./route-actions.ts"),
  ] as const);
}

async function respond(
  http: FastifyInstance,
  { version, activeRequests, load = loadMcp }: McpParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { signal } = abortOnDisconnect(reply, activeRequests);
  const [{ createMcpHandler }, { createToolServer }, { createRouteActions }] = await load();
  signal.throwIfAborted();
  const { authorization = "" } = request.headers;
  const actions = createRouteActions(originOf(http.server), authorization, signal);
  const handler = createMcpHandler(() => createToolServer(actions, version), {
    maxSubscriptions: MAX_SUBSCRIPTIONS,
  });
  signal.addEventListener("abort", () => void handler.close(), { once: true });
  const response = await handler.fetch(toWebRequest(request, signal), { parsedBody: request.body });
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
