import type { FastifyInstance } from "fastify";
import { pagePolicy } from "../http/headers.ts";
import { openApiDocument } from "../openapi/document.ts";
import { renderPage } from "../openapi/page.ts";

/** The description of the API for programs and for people, both made once at the start. */
export function docsRoutes(app: FastifyInstance): void {
  const document = openApiDocument();
  const json = JSON.stringify(document);
  const page = renderPage(document);
  app.get("/openapi.json", async (_request, reply) => reply.type("application/json; charset=utf-8").send(json));
  app.get("/docs", async (_request, reply) =>
    reply.header("content-security-policy", pagePolicy("'none'")).type("text/html; charset=utf-8").send(page),
  );
}
