import type { FastifyInstance } from "fastify";
import { pagePolicy } from "../http/headers.ts";
import { lazyValue } from "../lib/lazy-value.ts";
import { asyncApiDocument } from "../openapi/asyncapi.ts";
import type { DocumentedRoute } from "../openapi/collect-routes.ts";
import { openApiDocument } from "../openapi/document.ts";
import { renderPage } from "../openapi/page.ts";
import { documented, UNDOCUMENTED } from "../openapi/route-docs.ts";

/** The description of the API for programs and for people. `routes`: all of them, once the server is ready. */
export function docsRoutes(app: FastifyInstance, routes: readonly DocumentedRoute[]): void {
  // Made at the first request: it takes a third of the CPU time of a start.
  const document = lazyValue(() => openApiDocument(routes));
  const json = lazyValue(async () => JSON.stringify(await document()));
  const page = lazyValue(async () => renderPage(await document()));
  const sockets = lazyValue(() => JSON.stringify(asyncApiDocument()));
  const docs = documented({
    id: "getOpenApi",
    summary: "Get this document",
    isPublic: true,
    responses: { 200: { description: "Success.", content: { "application/json": { schema: { type: "object" } } } } },
  });
  app.get("/openapi.json", docs, async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(await json()),
  );
  const socketDocs = documented({
    id: "getAsyncApi",
    summary: "Get the AsyncAPI document of the live sockets",
    isPublic: true,
    responses: { 200: { description: "Success.", content: { "application/json": { schema: { type: "object" } } } } },
  });
  app.get("/asyncapi.json", socketDocs, async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(sockets()),
  );
  app.get("/docs", UNDOCUMENTED, async (_request, reply) =>
    reply
      .header("content-security-policy", pagePolicy("'none'"))
      .type("text/html; charset=utf-8")
      .send(await page()),
  );
}
