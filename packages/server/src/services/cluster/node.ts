import { newId } from "../../lib/ids.ts";
import { isoTime } from "../../lib/time.ts";
import type { Store } from "../../stores/store.ts";
import { type LogEvent, type LogFor, logEvent } from "../../telemetry/log-events.ts";

/** This process among all that use the same database. */
export interface Node {
  readonly id: string;
  /**
   * Registers work for every expired node, such as closing its reservations. It may run more than once for the same
   * node, also on several nodes at once. The expired node is removed when all such work has succeeded.
   */
  onNodeExpired(work: (nodeId: string) => Promise<void>): void;
  /** Registers work that runs with every heartbeat of this node. */
  onHeartbeat(work: () => Promise<void>): void;
  /** Registers this node, expires nodes that ended without closing, and starts the heartbeat. */
  start(): Promise<void>;
  /** Looks for expired nodes now. */
  expireNodes(): Promise<void>;
  /** Stops the heartbeat, closes the open work of this node and removes it. */
  close(): Promise<void>;
}

export interface NodeOptions {
  readonly log?: LogFor<NodeEvent>;
  readonly heartbeatMs?: number;
  /** A node without a heartbeat for this long has expired. */
  readonly expiryMs?: number;
  readonly now?: () => number;
}

type NodeEvent = Extract<LogEvent, `node.${string}`>;

const HEARTBEAT_MS = 5_000;
const EXPIRY_MS = 30_000;

export function createNode(
  store: Pick<Store, "nodes" | "nodeLocks">,
  { log, heartbeatMs = HEARTBEAT_MS, expiryMs = EXPIRY_MS, now = Date.now }: NodeOptions = {},
): Node {
  const id = newId();
  const expiryWork: ((nodeId: string) => Promise<void>)[] = [];
  const heartbeatWork: (() => Promise<void>)[] = [];
  /**
   * When each node's heartbeat was last seen to change, on the clock of this process: the clocks of machines differ,
   * and setting one must not expire any node.
   */
  let seen = new Map<string, { readonly heartbeatAt: string; readonly since: number }>();
  let checkedAt = Number.NEGATIVE_INFINITY;

  const isExpired = (nodeId: string, heartbeatAt: string): boolean => {
    const lock = store.nodeLocks?.state(nodeId) ?? "unknown";
    if (lock !== "unknown") return lock === "free";
    const before = seen.get(nodeId);
    return before?.heartbeatAt === heartbeatAt && performance.now() - before.since >= expiryMs;
  };
  const expire = async (nodeId: string): Promise<void> => {
    for (const work of expiryWork) await work(nodeId);
    await store.nodes.remove(nodeId);
    store.nodeLocks?.forget(nodeId);
    if (log) logEvent(log, "node.expired", { node: nodeId });
  };
  const expireNodes = async (): Promise<void> => {
    const others = (await store.nodes.list()).filter((node) => node.id !== id);
    // After a long gap, because the database was away or this process was stopped, nothing is known about the others:
    // the same cause may have kept them from writing their heartbeat.
    if (performance.now() - checkedAt > expiryMs / 2) seen = new Map();
    checkedAt = performance.now();
    const expired = others.filter((node) => isExpired(node.id, node.heartbeatAt));
    seen = new Map(
      others.map(({ id: nodeId, heartbeatAt }) => {
        const before = seen.get(nodeId);
        return [nodeId, before?.heartbeatAt === heartbeatAt ? before : { heartbeatAt, since: performance.now() }];
      }),
    );
    for (const node of expired) await expire(node.id);
  };

  let release: (() => void) | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> = Promise.resolve();
  const attempt = async (work: () => Promise<void>, event: NodeEvent): Promise<void> => {
    try {
      await work();
    } catch (err) {
      if (log) logEvent(log, event, { err });
    }
  };
  const beat = async (): Promise<void> => {
    await attempt(() => store.nodes.heartbeat(id, isoTime(now())), "node.heartbeat-failed");
    await attempt(expireNodes, "node.expiry-check-failed");
    for (const work of heartbeatWork) await attempt(work, "node.task-failed");
  };
  const schedule = (): void => {
    timer = setTimeout(() => {
      beating = beat().finally(() => {
        if (!closed) schedule();
      });
    }, heartbeatMs);
    timer.unref();
  };

  return {
    id,
    onNodeExpired: (work) => void expiryWork.push(work),
    onHeartbeat: (work) => void heartbeatWork.push(work),
    async start() {
      // The lock before the row: a process that reads the row can rely on the lock.
      release = store.nodeLocks?.hold(id);
      try {
        await store.nodes.heartbeat(id, isoTime(now()));
        await expireNodes();
      } catch (error) {
        release?.();
        throw error;
      }
      schedule();
    },
    expireNodes,
    async close() {
      if (closed) return;
      closed = true;
      clearTimeout(timer);
      await beating;
      await attempt(async () => {
        for (const work of expiryWork) await work(id);
        await store.nodes.remove(id);
      }, "node.close-failed");
      release?.();
    },
  };
}
