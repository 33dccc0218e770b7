import type { FastifyInstance } from "fastify";

const METHODS = ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE"] as const;

/** OPTIONS on a route that exists says what it takes. Everything else is 404, as for every other method. */
export function optionsRoute(app: FastifyInstance): void {
  app.options("/*", async (request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "/";
    const allowed = METHODS.filter((method) => app.findRoute({ method, url: path }) !== null);
    if (allowed.length === 0) return reply.callNotFound();
    return reply
      .code(204)
      .header("allow", [...allowed, "OPTIONS"].join(", "))
      .send();
  });
}
