import { errorBody } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { errorHeaders } from "../http/errors.ts";
import { documented } from "../openapi/route-docs.ts";
import type { Health } from "../services/health/health.ts";

const status = z.object({ status: z.string().meta({ description: "Always `ok`; failures are errors." }) });

const check = z.object({
  name: z.string().meta({ description: "The part that is checked." }),
  state: z.enum(["ok", "failing", "pending", "absent"]).meta({
    description: "`pending`: not checked yet; `absent`: the part is not installed, which is no failure.",
  }),
  required: z.boolean().meta({ description: "Whether the service is not ready when it fails." }),
  since: z.string().meta({ format: "date-time", description: "When it entered this state." }),
  reason: z.string().optional().meta({ description: "Why it is not `ok`." }),
});
const readiness = status.extend({ checks: z.array(check).meta({ description: "The results of the health checks." }) });

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
      response: readiness,
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
