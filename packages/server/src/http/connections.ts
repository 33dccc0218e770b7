import type { Server, Socket } from "node:net";
import { networkOf } from "../lib/network-of.ts";
import { createNetworkMatcher } from "../lib/trusted-networks.ts";
import { type LogFor, logEvent } from "../telemetry/log-events.ts";

/** At most one log line in this time, however many connections are refused. */
const LOG_INTERVAL_MS = 10_000;

export interface ConnectionLimits {
  /** The system has a limit of its own, and beyond it the database cannot open its files. */
  readonly maxConnections: number;
  /** IPv6 addresses count by their /64 network. */
  readonly maxConnectionsPerAddress: number;
  /** Reverse proxies, whose connections belong to many clients. */
  readonly trustProxy: readonly string[] | undefined;
}

/** Files that are not connections: the database, uploads, pipes to the workers. */
const MIN_OTHER_FILES = 64;

/**
 * The limits that the open files of the process allow. Beyond those, the database and the workers fail, not only connections.
 * One address gets no more than three quarters of them, so that a health check from elsewhere is answered.
 */
export function withinOpenFiles(limits: ConnectionLimits, openFiles: number | undefined): ConnectionLimits {
  const { maxConnections, maxConnectionsPerAddress, trustProxy } = limits;
  if (openFiles === undefined) return limits;
  const allowed = Math.max(4, Math.floor(openFiles - Math.max(MIN_OTHER_FILES, openFiles / 4)));
  if (maxConnections <= allowed) return limits;
  const perAddress = Math.min(maxConnectionsPerAddress, Math.floor((allowed * 3) / 4));
  return { maxConnections: allowed, maxConnectionsPerAddress: perAddress, trustProxy };
}

/** Connections over a limit are closed at once. */
export function limitConnections(server: Server, limits: ConnectionLimits, log: LogFor<"connection.refused">): void {
  const { maxConnections, maxConnectionsPerAddress } = limits;
  const isTrusted = createNetworkMatcher(limits.trustProxy ?? []);
  const counts = new Map<string, number>();
  const known = new WeakSet<Socket>();
  let dropped = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  const logDropped = (max: number): void => {
    dropped++;
    if (performance.now() - loggedAt < LOG_INTERVAL_MS) return;
    loggedAt = performance.now();
    logEvent(log, "connection.refused", { max, dropped });
    dropped = 0;
  };
  server.maxConnections = maxConnections;
  server.on("drop", () => logDropped(maxConnections));
  server.on("connection", (socket: Socket) => {
    // A connection whose offer of another protocol was declined is passed to the server a second time.
    if (known.has(socket)) return;
    known.add(socket);
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isTrusted(remoteAddress)) return;
    const network = networkOf(remoteAddress);
    const count = (counts.get(network) ?? 0) + 1;
    if (count > maxConnectionsPerAddress) {
      socket.destroy();
      logDropped(maxConnectionsPerAddress);
      return;
    }
    counts.set(network, count);
    socket.once("close", () => {
      const left = (counts.get(network) ?? 1) - 1;
      if (left === 0) counts.delete(network);
      else counts.set(network, left);
    });
  });
}
