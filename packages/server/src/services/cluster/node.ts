import type { Store } from "../../stores/store.ts";
import type { Log } from "../../telemetry/log.ts";
import { isoTime, newId } from "../identity/keys.ts";

/** This process among all that use the same database. */
export interface Node {
  readonly id: string;
  /**
   * What is to be done when another node has died: whatever it left open is closed. It may be asked again for the
   * same node, also by several nodes at once. The dead node is forgotten when all that is to be done was done.
   */
  onDead(work: (nodeId: string) => Promise<void>): void;
  /** What is to be done now and then while this process lives. */
  onBeat(work: () => Promise<void>): void;
  /** Makes this process known, looks after what a killed predecessor has left, and keeps saying that it lives. */
  start(): Promise<void>;
  /** Looks for dead nodes now. */
  sweep(): Promise<void>;
  /** Says goodbye. What this node left open, if anything, is closed by others or at the next start. */
  close(): Promise<void>;
}

export interface NodeOptions {
  readonly log?: Pick<Log, "warn" | "info">;
  readonly beatMs?: number;
  /** Silent for this long: dead. */
  readonly silentMs?: number;
  readonly now?: () => number;
}

const BEAT_MS = 5_000;
const SILENT_MS = 30_000;

export function createNode(
  store: Pick<Store, "nodes" | "nodeLocks">,
  { log, beatMs = BEAT_MS, silentMs = SILENT_MS, now = Date.now }: NodeOptions = {},
): Node {
  const id = newId();
  const burials: ((nodeId: string) => Promise<void>)[] = [];
  const chores: (() => Promise<void>)[] = [];
  /**
   * When each node's sign of life was last seen to change, by this process's own clock: the clocks of machines
   * differ, and one that is set must not kill anybody.
   */
  let seen = new Map<string, { readonly beatAt: string; readonly since: number }>();
  let lookedAt = Number.NEGATIVE_INFINITY;

  const isDead = (nodeId: string, beatAt: string): boolean => {
    const lock = store.nodeLocks?.state(nodeId) ?? "unknown";
    if (lock !== "unknown") return lock === "free";
    const before = seen.get(nodeId);
    return before?.beatAt === beatAt && performance.now() - before.since >= silentMs;
  };
  const bury = async (nodeId: string): Promise<void> => {
    for (const burial of burials) await burial(nodeId);
    await store.nodes.remove(nodeId);
    store.nodeLocks?.forget(nodeId);
    log?.info({ node: nodeId }, "closed what a dead node had left open");
  };
  const sweep = async (): Promise<void> => {
    const others = (await store.nodes.list()).filter((node) => node.id !== id);
    // Who could not look for long, because the database was away or this process stood still, does not know whether
    // the others were silent: they may have been kept from speaking by the same.
    if (performance.now() - lookedAt > silentMs / 2) seen = new Map();
    lookedAt = performance.now();
    const dead = others.filter((node) => isDead(node.id, node.beatAt));
    seen = new Map(
      others.map(({ id: nodeId, beatAt }) => {
        const before = seen.get(nodeId);
        return [nodeId, before?.beatAt === beatAt ? before : { beatAt, since: performance.now() }];
      }),
    );
    for (const node of dead) await bury(node.id);
  };

  let release: (() => void) | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> = Promise.resolve();
  const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (err) {
      log?.warn({ err }, what);
    }
  };
  const beat = async (): Promise<void> => {
    await attempt("the sign of life was not written", () => store.nodes.beat(id, isoTime(now())));
    await attempt("dead nodes were not looked after", sweep);
    for (const chore of chores) await attempt("a regular task failed", chore);
  };
  const schedule = (): void => {
    timer = setTimeout(() => {
      beating = beat().finally(() => {
        if (!closed) schedule();
      });
    }, beatMs);
    timer.unref();
  };

  return {
    id,
    onDead: (work) => void burials.push(work),
    onBeat: (work) => void chores.push(work),
    async start() {
      // The lock first: whoever reads the row can then be sure of what the lock says.
      release = store.nodeLocks?.hold(id);
      try {
        await store.nodes.beat(id, isoTime(now()));
        await sweep();
      } catch (error) {
        release?.();
        throw error;
      }
      schedule();
    },
    sweep,
    async close() {
      if (closed) return;
      closed = true;
      clearTimeout(timer);
      await beating;
      // Also what this one has left: there is nobody any more who would close it.
      await attempt("what is open was not closed; the next start does it", async () => {
        for (const burial of burials) await burial(id);
        await store.nodes.remove(id);
      });
      release?.();
    },
  };
}
