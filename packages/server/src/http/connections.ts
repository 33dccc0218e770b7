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

/** Connections over a limit are reset at once. After a plain close, the `fetch` of Node 20 waits for ever. */
export function limitConnections(server: Server, limits: ConnectionLimits, log: LogFor<"connection.refused">): void {
  const { maxConnections, maxConnectionsPerAddress } = limits;
  const isTrusted = createNetworkMatcher(limits.trustProxy ?? []);
  const counts = new Map<string, number>();
  const known = new WeakSet<Socket>();
  let open = 0;
  let refused = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  const refuse = (socket: Socket, max: number): void => {
    socket.resetAndDestroy();
    refused++;
    if (performance.now() - loggedAt < LOG_INTERVAL_MS) return;
    loggedAt = performance.now();
    logEvent(log, "connection.refused", { max, dropped: refused });
    refused = 0;
  };
  server.on("connection", (socket: Socket) => {
    // A connection whose offer of another protocol was declined is passed to the server a second time.
    if (known.has(socket)) return;
    known.add(socket);
    if (open >= maxConnections) return refuse(socket, maxConnections);
    const { remoteAddress } = socket;
    const network = remoteAddress === undefined || isTrusted(remoteAddress) ? undefined : networkOf(remoteAddress);
    const count = network === undefined ? 0 : (counts.get(network) ?? 0) + 1;
    if (count > maxConnectionsPerAddress) return refuse(socket, maxConnectionsPerAddress);
    open++;
    if (network !== undefined) counts.set(network, count);
    socket.once("close", () => {
      open--;
      if (network === undefined) return;
      const left = (counts.get(network) ?? 1) - 1;
      if (left === 0) counts.delete(network);
      else counts.set(network, left);
    });
  });
}
