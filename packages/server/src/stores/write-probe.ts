import type { Kysely } from "kysely";
import { isoTime } from "../lib/time.ts";
import type { Tables } from "./tables.ts";

/** A write is durable, so it is made much less often than a read. */
const WRITE_INTERVAL_MS = 10_000;

/** Reads, and writes now and then. After a failed write the next call writes again. */
export function createWriteProbe(db: Kysely<Tables>, now: () => number = () => performance.now()): () => Promise<void> {
  let writtenAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (now() - writtenAt < WRITE_INTERVAL_MS) {
      await db.selectNoFrom((row) => row.lit(1).as("one")).execute();
      return;
    }
    const written_at = isoTime(Date.now());
    await db
      .insertInto("write_probes")
      .values({ id: 1, written_at })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ written_at }))
      .execute();
    writtenAt = now();
  };
}
