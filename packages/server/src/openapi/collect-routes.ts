import type { FastifyInstance } from "fastify";
import type { RouteDocs } from "./route-docs.ts";

export interface DocumentedRoute {
  readonly method: string;
  /** As OpenAPI writes it: `/model/{id}`. */
  readonly path: string;
  readonly docs: RouteDocs;
}

/** Collects the description of every route that is added after this. A route without one is an error. */
export function collectRoutes(app: FastifyInstance): readonly DocumentedRoute[] {
  const routes: DocumentedRoute[] = [];
  app.addHook("onRoute", function (this: FastifyInstance, { method, url, config }) {
    const docs = config?.docs;
    if (docs === undefined) throw new Error(`the route ${method} ${url} has no description for OpenAPI`);
    if (docs === "none") return;
    const errors = [...(docs.errors ?? []), ...(this.routeErrors ?? [])];
    const path = url.replace(/:(\w+)/g, "{$1}");
    for (const each of [method].flat()) {
      // Fastify adds HEAD to every GET.
      if (each !== "HEAD") routes.push({ method: each.toLowerCase(), path, docs: { ...docs, errors } });
    }
  });
  return routes;
}
