import { errorBody } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { errorHeaders } from "../http/errors.ts";
import { documented } from "../openapi/route-docs.ts";
import type { Health } from "../services/health/health.ts";

const status = z.object({ status: z.string() });

/** live: the process runs. ready: all required health checks pass. Both are public. */
export function healthRoutes(app: FastifyInstance, health: Health): void {
  app.get(
    "/health/live",
    documented({ id: "live", summary: "Check that the process runs", isPublic: true, response: status }),
    async () => ({ status: "ok" }),
  );
  app.get(
    "/health/ready",
    documented({
      id: "ready",
      summary: "Check that the service accepts requests",
      isPublic: true,
      response: status,
      errors: ["not_ready", "unavailable", "draining"],
    }),
    async (_request, reply) => {
      const { refusal, checks } = await health.report();
      if (refusal === undefined) return { status: "ok", checks };
      return reply
        .code(refusal.status)
        .headers(errorHeaders(refusal))
        .send({ ...errorBody(refusal), checks });
    },
  );
}
