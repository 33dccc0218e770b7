import type { FastifyInstance } from "fastify";
import type { ActiveRequests } from "../http/active-requests.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { type AppParts, resolveParts } from "./app-parts.ts";
import { createHttpServer } from "./http-server.ts";
import { addLifecycle } from "./lifecycle.ts";
import { registerRoutes } from "./routes.ts";
import { createServices } from "./services.ts";
import { createWyomingStart, type StartWyoming } from "./wyoming.ts";

export interface App {
  readonly http: FastifyInstance;
  readonly activeRequests: ActiveRequests;
  readonly metrics: Metrics;
  readonly startWyoming: StartWyoming;
}

/** Builds the HTTP app from its parts. It does not listen yet. */
export function buildApp(given: AppParts): App {
  const parts = resolveParts(given);
  const services = createServices(parts);
  const http = createHttpServer(services, parts);
  registerRoutes(http, services, parts);
  addLifecycle(http, services, parts.traceExport);
  const { activeRequests, metrics } = services;
  return { http, activeRequests, metrics, startWyoming: createWyomingStart(services, parts) };
}
