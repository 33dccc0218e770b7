import { Counter, Gauge, type Registry } from "prom-client";
import { createLoopDelay } from "../telemetry/loop-delay.ts";

export interface ProcessSources {
  readonly version: string;
  readonly activeRequests: { readonly size: number; readonly connections: number; readonly draining: boolean };
}

/** The metrics of this process. The result stops the measurement. */
export function processMetrics(registry: Registry, { version, activeRequests }: ProcessSources): () => void {
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };
  new Gauge({
    name: "parlance_build_info",
    help: "Version of the service and of Node.js, always 1.",
    labelNames: ["version", "node"],
    registers: [registry],
  }).set({ version, node: process.versions.node }, 1);
  const startedAt = Date.now() / 1000 - process.uptime();
  gauge("parlance_start_time_seconds", "When the process started, in seconds since 1970.", () => startedAt);
  gauge("parlance_active_streams", "Requests with inference that are running.", () => activeRequests.size);
  gauge("parlance_live_sockets", "Open live sockets.", () => activeRequests.connections);
  gauge("parlance_draining", "1 during shutdown.", () => (activeRequests.draining ? 1 : 0));
  gauge("parlance_resident_memory_bytes", "Memory of the server process.", () => process.memoryUsage.rss());
  gauge("parlance_heap_used_bytes", "Memory of the server's JavaScript objects.", () => process.memoryUsage().heapUsed);
  new Counter({
    name: "parlance_cpu_seconds_total",
    help: "Processor time of the server process, without its workers.",
    registers: [registry],
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  const delay = createLoopDelay();
  new Gauge({
    name: "parlance_event_loop_delay_seconds",
    help: "Delay of the event loop since the last scrape: p50, p99 and max.",
    labelNames: ["stat"],
    registers: [registry],
    collect() {
      for (const [stat, value] of Object.entries(delay.take())) this.set({ stat }, value);
    },
  });
  return delay.close;
}
