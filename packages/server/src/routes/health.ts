import { errorBody } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { errorHeaders } from "../http/errors.ts";
import type { Health } from "../services/health/health.ts";

/** live: the process answers · ready: it speaks and listens, and takes requests. Both are for anybody. */
export function healthRoutes(app: FastifyInstance, health: Health): void {
  app.get("/health/live", async () => ({ status: "ok" }));
  app.get("/health/ready", async (_request, reply) => {
    const { refusal, checks } = await health.report();
    if (refusal === undefined) return { status: "ok", checks };
    return reply
      .code(refusal.status)
      .headers(errorHeaders(refusal))
      .send({ ...errorBody(refusal), checks });
  });
}
