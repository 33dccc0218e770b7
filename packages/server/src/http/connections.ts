import type { Server } from "node:http";
import { type LogFor, logEvent } from "../telemetry/log-events.ts";

/** At most one log line in this time, however many connections are refused. */
const LOG_INTERVAL_MS = 10_000;

/** So many connections and no more: the system has a bound of its own, and beyond that the database cannot open its files. */
export function limitConnections(server: Server, maxConnections: number, log: LogFor<"connection.refused">): void {
  let dropped = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  server.maxConnections = maxConnections;
  server.on("drop", () => {
    dropped++;
    if (performance.now() - loggedAt < LOG_INTERVAL_MS) return;
    loggedAt = performance.now();
    logEvent(log, "connection.refused", { max: maxConnections, dropped });
    dropped = 0;
  });
}
