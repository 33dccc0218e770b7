import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** A server process that uses this database. */
export interface NodeRecord {
  readonly id: string;
  readonly startedAt: string;
  /** Its last heartbeat, on its own clock. */
  readonly heartbeatAt: string;
}

export interface NodeStore {
  /** Also registers the node again if another one has expired it. */
  heartbeat(id: string, at: string): Promise<void>;
  list(): Promise<readonly NodeRecord[]>;
  remove(id: string): Promise<void>;
}

export function createNodes(db: Kysely<Tables>): NodeStore {
  return {
    async heartbeat(id, at) {
      await db
        .insertInto("nodes")
        .values({ id, started_at: at, beat_at: at })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ beat_at: at }))
        .execute();
    },
    async list() {
      const rows = await db.selectFrom("nodes").selectAll().orderBy("id").execute();
      return rows.map((row) => ({ id: row.id, startedAt: row.started_at, heartbeatAt: row.beat_at }));
    },
    async remove(id) {
      await db.deleteFrom("nodes").where("id", "=", id).execute();
    },
  };
}
