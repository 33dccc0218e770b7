import type { Server } from "node:http";
import { type LogFor, logEvent } from "../telemetry/log-events.ts";

/** The operator is told of it this often, however many are turned away. */
const TELL_MS = 10_000;

/** So many connections and no more: the system has a bound of its own, and beyond that the database cannot open its files. */
export function limitConnections(server: Server, most: number, log: LogFor<"connection.refused">): void {
  let dropped = 0;
  let told = Number.NEGATIVE_INFINITY;
  server.maxConnections = most;
  server.on("drop", () => {
    dropped++;
    if (performance.now() - told < TELL_MS) return;
    told = performance.now();
    logEvent(log, "connection.refused", { max: most, dropped });
    dropped = 0;
  });
}
