import { Gauge, Registry } from "prom-client";
import type { CheckReport } from "../services/health/check-report.ts";
import type { RequestEnd, RequestFacts } from "../telemetry/request-log.ts";
import { type EngineSources, engineMetrics } from "./engine-metrics.ts";
import { type ProcessSources, processMetrics } from "./process-metrics.ts";
import { requestMetrics } from "./request-metrics.ts";

export interface MetricsSources extends EngineSources, ProcessSources {
  readonly health: () => Promise<{ readonly ready: boolean; readonly checks: readonly CheckReport[] }>;
}

/** Metrics for Prometheus. Label values are fixed names, never data of clients or accounts. */
export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
  /** Counts a finished request. */
  request(end: RequestEnd, facts: RequestFacts): void;
  close(): void;
}

/** Each app has its own registry, since several may run in one process. */
export function createMetrics(sources: MetricsSources): Metrics {
  const registry = new Registry();
  const request = requestMetrics(registry);
  engineMetrics(registry, sources);
  const close = processMetrics(registry, sources);
  healthMetrics(registry, sources.health);
  return { contentType: registry.contentType, text: () => registry.metrics(), request, close };
}

function healthMetrics(registry: Registry, health: MetricsSources["health"]): void {
  new Gauge({
    name: "parlance_ready",
    help: "1 when /health/ready answers 200.",
    registers: [registry],
    async collect() {
      this.set((await health()).ready ? 1 : 0);
    },
  });
  new Gauge({
    name: "parlance_health_check",
    help: "The checks of /health/ready: 1 ok, 0 failing or pending. Absent parts are left out.",
    labelNames: ["check"],
    registers: [registry],
    async collect() {
      const { checks } = await health();
      this.reset();
      for (const { name, state } of checks) if (state !== "absent") this.set({ check: name }, state === "ok" ? 1 : 0);
    },
  });
}
