import type { FastifyInstance } from "fastify";
import { UNDOCUMENTED } from "../openapi/route-docs.ts";

const METHODS = ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE"] as const;

/** OPTIONS on a path with a route lists its methods. Every other path is a 404, as for other methods. */
export function optionsRoute(app: FastifyInstance): void {
  app.options("/*", UNDOCUMENTED, async (request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "/";
    const allowed = METHODS.filter((method) => app.findRoute({ method, url: path }) !== null);
    if (allowed.length === 0) return reply.callNotFound();
    return reply
      .code(204)
      .header("allow", [...allowed, "OPTIONS"].join(", "))
      .send();
  });
}
