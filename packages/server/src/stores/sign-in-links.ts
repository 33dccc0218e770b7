import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

export interface SignInLinkRecord {
  /** SHA-256 of the link's token in hex. The token itself is not stored. */
  readonly hash: string;
  readonly userId: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

export interface SignInLinkStore {
  insert(link: SignInLinkRecord): Promise<void>;
  /** Deletes the link and returns its account. Of concurrent calls one gets it. */
  take(hash: string, now: string): Promise<string | undefined>;
  deleteOf(userId: string): Promise<void>;
  deleteExpired(now: string): Promise<void>;
}

export function createSignInLinks(db: Kysely<Tables>): SignInLinkStore {
  return {
    async insert(link) {
      await db
        .insertInto("sign_in_links")
        .values({ hash: link.hash, user_id: link.userId, created_at: link.createdAt, expires_at: link.expiresAt })
        .execute();
    },
    async take(hash, now) {
      const row = await db
        .deleteFrom("sign_in_links")
        .where("hash", "=", hash)
        .where("expires_at", ">", now)
        .returning("user_id")
        .executeTakeFirst();
      return row?.user_id;
    },
    async deleteOf(userId) {
      await db.deleteFrom("sign_in_links").where("user_id", "=", userId).execute();
    },
    async deleteExpired(now) {
      await db.deleteFrom("sign_in_links").where("expires_at", "<=", now).execute();
    },
  };
}
