import type { FastifyInstance } from "fastify";
import { assertAdmin } from "../http/authenticate.ts";
import type { Identify } from "../http/identify.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { isBearer } from "../metrics/metrics-key.ts";

export interface MetricsRouteParts {
  readonly metrics: Metrics;
  readonly identify: Identify;
  /** Opens this one address, and nothing else. */
  readonly key: string | undefined;
}

/** GET /metrics: figures for Prometheus, to whoever has the key for them and to admins. */
export function metricsRoutes(app: FastifyInstance, { metrics, identify, key }: MetricsRouteParts): void {
  app.get("/metrics", async (request, reply) => {
    if (key === undefined || !isBearer(request.headers.authorization, key)) assertAdmin(await identify(request.raw));
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}
