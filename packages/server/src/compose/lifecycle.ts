import type { FastifyInstance } from "fastify";
import type { TraceExport } from "../telemetry/trace-export.ts";
import type { Services } from "./services.ts";

/** Starts the services with the app, and stops them with it. Fastify runs the hooks of one kind in this order. */
export function addLifecycle(http: FastifyInstance, services: Services, traceExport: TraceExport | undefined): void {
  const { activeRequests, node, metering, refinement, uploads, limits, usage, system, metrics, useCounts, identity } =
    services;
  http.addHook("onReady", () => uploads.sweep());
  http.addHook("onReady", () => node.start());
  http.addHook("onReady", () => refinement.start());
  http.addHook("onReady", async () => services.checks?.start());
  http.addHook("onReady", async () => services.storageCheck?.start());
  http.addHook("onReady", () => services.objectSweep.start());
  http.addHook("onReady", () => services.audit.recordSettings(services.changedSettings));

  // An open socket would keep the server from closing.
  http.addHook("preClose", async () => activeRequests.drain());
  http.addHook("preClose", async () => services.samples.close());
  http.addHook("preClose", async () => services.checks?.close());
  http.addHook("preClose", async () => services.storageCheck?.close());

  http.addHook("onClose", async () => {
    // Charges are settled while this node still counts as alive.
    await Promise.all([refinement.close(), services.projectJobs.close()]);
    await metering.close();
    await node.close();
  });
  http.addHook("onClose", () => services.objectSweep.close());
  http.addHook("onClose", () => services.history.close());
  http.addHook("onClose", () => services.audioExports.close());
  http.addHook("onClose", () => services.projectExports.close());
  http.addHook("onClose", () => uploads.close());
  http.addHook("onClose", () => limits.close());
  http.addHook("onClose", () => usage.close());
  http.addHook("onClose", async () => system.close());
  http.addHook("onClose", async () => metrics.close());
  http.addHook("onClose", () => useCounts.close());
  http.addHook("onClose", async () => identity.disabledAccounts.close());
  http.addHook("onClose", async () => traceExport?.close());
}
