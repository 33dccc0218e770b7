import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** Recent sign-in attempts from an address or to an account. */
export interface Attempts {
  readonly count: number;
  readonly lastAt: string;
  readonly blockedUntil: string;
}

export interface SignInAttemptStore {
  find(subject: string): Promise<Attempts | undefined>;
  /** Only if there are none stored. False: a concurrent call was faster. */
  insert(subject: string, attempts: Attempts): Promise<boolean>;
  /** Only if the count is still the same. False: a concurrent call was faster. */
  replace(subject: string, count: number, attempts: Attempts): Promise<boolean>;
  /** Takes one attempt off, however many were counted since. The time that it set is replaced by the one before it. */
  undo(subject: string, blockedUntil: string, before: string): Promise<void>;
  delete(subject: string): Promise<void>;
  deleteOlderThan(lastAt: string): Promise<void>;
}

export function createSignInAttempts(db: Kysely<Tables>): SignInAttemptStore {
  return {
    async find(subject) {
      const row = await db.selectFrom("sign_in_attempts").selectAll().where("subject", "=", subject).executeTakeFirst();
      return row && { count: row.count, lastAt: row.last_at, blockedUntil: row.blocked_until };
    },
    async insert(subject, { count, lastAt, blockedUntil }) {
      const result = await db
        .insertInto("sign_in_attempts")
        .values({ subject, count, last_at: lastAt, blocked_until: blockedUntil })
        .onConflict((conflict) => conflict.column("subject").doNothing())
        .executeTakeFirst();
      return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
    async replace(subject, old, { count, lastAt, blockedUntil }) {
      const result = await db
        .updateTable("sign_in_attempts")
        .set({ count, last_at: lastAt, blocked_until: blockedUntil })
        .where("subject", "=", subject)
        .where("count", "=", old)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },
    async undo(subject, blockedUntil, before) {
      await db
        .updateTable("sign_in_attempts")
        .set((row) => ({
          count: row("count", "-", 1),
          blocked_until: row
            .case()
            .when("blocked_until", "=", blockedUntil)
            .then(before)
            .else(row.ref("blocked_until"))
            .end(),
        }))
        .where("subject", "=", subject)
        .where("count", ">", 0)
        .execute();
    },
    async delete(subject) {
      await db.deleteFrom("sign_in_attempts").where("subject", "=", subject).execute();
    },
    async deleteOlderThan(lastAt) {
      await db.deleteFrom("sign_in_attempts").where("last_at", "<", lastAt).execute();
    },
  };
}
