import type { FastifyInstance } from "fastify";
import type { ActiveRequests } from "../http/active-requests.ts";
import type { Log } from "../telemetry/log.ts";
import { logEvent } from "../telemetry/log-events.ts";

export interface ShutdownParts {
  readonly http: FastifyInstance;
  readonly activeRequests: ActiveRequests;
  readonly drainSeconds: number;
  readonly log: Log;
}

/** Refuses new requests, lets active ones finish for the drain time, and aborts the rest. */
export async function shutDown({ http, activeRequests, drainSeconds, log }: ShutdownParts): Promise<void> {
  activeRequests.drain();
  logEvent(log, "shutdown.started", { streams: activeRequests.size });
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      if (activeRequests.size > 0) logEvent(log, "shutdown.timed-out", { streams: activeRequests.size });
      activeRequests.abortAll(new Error("the server is shutting down"));
      http.server.closeAllConnections();
      resolve();
    }, drainSeconds * 1000);
  });
  try {
    // It listens until then, so that new requests get an answer and health checks show the state.
    await Promise.race([activeRequests.whenIdle(), deadline]);
    await http.close();
  } finally {
    clearTimeout(timer);
  }
}
