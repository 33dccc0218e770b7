import type { FastifyInstance } from "fastify";
import { assertAdmin } from "../http/authenticate.ts";
import type { Identify } from "../http/identify.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { isBearer } from "../metrics/metrics-key.ts";
import { documented } from "../openapi/route-docs.ts";

export interface MetricsRouteParts {
  readonly metrics: Metrics;
  readonly identify: Identify;
  /** Opens this one address, and nothing else. */
  readonly key: string | undefined;
}

/** GET /metrics: metrics for Prometheus, for the metrics key and for admins. */
export function metricsRoutes(app: FastifyInstance, { metrics, identify, key }: MetricsRouteParts): void {
  app.get(
    "/metrics",
    documented({
      id: "getMetrics",
      summary: "Get the metrics for Prometheus",
      description: "For admins, and for the key that `PARLANCE_METRICS_KEY` sets.",
      responses: { 200: { description: "Success.", content: { "text/plain": { schema: { type: "string" } } } } },
      errors: ["admin_only"],
    }),
    async (request, reply) => {
      if (key === undefined || !isBearer(request.headers.authorization, key)) assertAdmin(await identify(request.raw));
      return reply.type(metrics.contentType).send(await metrics.text());
    },
  );
}
