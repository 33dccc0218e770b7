import { type Kysely, sql } from "kysely";
import type { Tables } from "./tables.ts";

/** Projects whose text is to be spoken. */
export interface ProjectQueueStore {
  /** Waits unless it waits or runs already. */
  enqueue(id: string, at: string): Promise<void>;
  /**
   * Assigns the project that has waited longest to this node; one of the accounts `last` only when no other waits. Undefined when
   * there is none.
   */
  claim(node: string, last?: readonly string[]): Promise<string | undefined>;
  /** The project waits again if one of another account than `except` waits. False: none does, and it keeps running. */
  giveWay(id: string, node: string, except: readonly string[], at: string): Promise<boolean>;
  /** Whether the job still belongs to the node: it was not stopped, deleted or taken over. */
  isHeld(id: string, node: string): Promise<boolean>;
  /**
   * A paragraph was spoken: the job works, so earlier attempts do not count. False when the job does not belong to the node
   * any more. In a transaction, it cannot be taken over before the commit.
   */
  progressed(id: string, node: string): Promise<boolean>;
  finish(id: string, node: string): Promise<void>;
  fail(id: string, node: string, reason: string): Promise<void>;
  /** Ends the job, wherever it runs. */
  stop(id: string): Promise<void>;
  /** The jobs of an expired node wait again. They count as attempts, since they may have crashed the node. */
  requeueAfterCrash(node: string): Promise<void>;
  /** The jobs of a node that shuts down wait again, without counting as attempts. */
  requeueAfterStop(node: string): Promise<void>;
}

/** A job that has crashed this many nodes without a paragraph in between has failed. */
const MAX_ATTEMPTS = 3;
const CRASHED = "The server stopped several times while it spoke this project";

export function createProjectQueue(db: Kysely<Tables>): ProjectQueueStore {
  const held = (id: string, node: string) =>
    db.updateTable("projects").where("id", "=", id).where("job", "=", "running").where("job_node", "=", node);
  const runningOn = (node: string) =>
    db.updateTable("projects").where("job", "=", "running").where("job_node", "=", node);
  return {
    async enqueue(id, at) {
      await db
        .updateTable("projects")
        .set({ job: "waiting", job_node: null, job_error: null, job_tries: 0, job_at: at })
        .where("id", "=", id)
        .where("job", "not in", ["waiting", "running"])
        .execute();
    },
    async claim(node, last = []) {
      for (;;) {
        const next = await db
          .selectFrom("projects")
          .select("id")
          .where("job", "=", "waiting")
          .orderBy((row) =>
            row
              .case()
              .when("user_id", "in", [...last, ""])
              .then(sql.lit(1))
              .else(sql.lit(0))
              .end(),
          )
          .orderBy("job_at")
          .orderBy("id")
          .limit(1)
          .executeTakeFirst();
        if (next === undefined) return undefined;
        const { numUpdatedRows } = await db
          .updateTable("projects")
          .set((row) => ({ job: "running", job_node: node, job_tries: row("job_tries", "+", 1) }))
          .where("id", "=", next.id)
          .where("job", "=", "waiting")
          .executeTakeFirst();
        if (numUpdatedRows > 0n) return next.id;
        // Another node was faster: that project no longer waits.
      }
    },
    async giveWay(id, node, except, at) {
      const { numUpdatedRows } = await held(id, node)
        .where((row) =>
          row.exists(
            row
              .selectFrom("projects as other")
              .select("other.id")
              .where("other.job", "=", "waiting")
              .where("other.user_id", "not in", [...except, ""]),
          ),
        )
        .set((row) => ({ job: "waiting", job_node: null, job_at: at, job_tries: row("job_tries", "-", 1) }))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async isHeld(id, node) {
      const row = await db
        .selectFrom("projects")
        .select("id")
        .where("id", "=", id)
        .where("job", "=", "running")
        .where("job_node", "=", node)
        .executeTakeFirst();
      return row !== undefined;
    },
    async progressed(id, node) {
      const { numUpdatedRows } = await held(id, node).set({ job_tries: 1 }).executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async finish(id, node) {
      await held(id, node).set({ job: "idle", job_node: null, job_error: null }).execute();
    },
    async fail(id, node, reason) {
      await held(id, node).set({ job: "failed", job_node: null, job_error: reason }).execute();
    },
    async stop(id) {
      await db.updateTable("projects").set({ job: "idle", job_node: null }).where("id", "=", id).execute();
    },
    async requeueAfterCrash(node) {
      await runningOn(node)
        .where("job_tries", ">=", MAX_ATTEMPTS)
        .set({ job: "failed", job_node: null, job_error: CRASHED })
        .execute();
      await runningOn(node).set({ job: "waiting", job_node: null }).execute();
    },
    async requeueAfterStop(node) {
      await runningOn(node)
        .set((row) => ({ job: "waiting", job_node: null, job_tries: row("job_tries", "-", 1) }))
        .execute();
    },
  };
}
