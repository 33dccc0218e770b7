import type { Kysely, Selectable } from "kysely";
import type { Tables } from "./tables.ts";
import { OWNER_COLUMNS, type OwnerRecord, toOwner } from "./users.ts";

export interface SessionRecord {
  readonly id: string;
  readonly userId: string;
  /** SHA-256 of the cookie's token in hex. The token itself is not stored. */
  readonly hash: string;
  readonly createdAt: string;
  /** Exact to a few minutes. */
  readonly lastSeenAt: string;
  /** The session ends then, even if it is used. */
  readonly expiresAt: string;
  readonly address: string;
  readonly userAgent: string;
  /** A session opened by a link may set a new password without the old one. */
  readonly openedBy: "password" | "link" | "oidc";
}

/** A session with the state of its account. */
export interface OwnedSession {
  readonly session: SessionRecord;
  readonly owner: OwnerRecord;
}

export interface SessionStore {
  insert(session: SessionRecord): Promise<void>;
  /** With its account, in one query, since it runs on every request. */
  findOwned(hash: string): Promise<OwnedSession | undefined>;
  /** Newest first. */
  listOf(userId: string): Promise<readonly SessionRecord[]>;
  /** Writes only when the stored time is older than `olderThan`. */
  touch(id: string, at: string, olderThan: string): Promise<void>;
  /** False when this user has no such session. */
  delete(userId: string, id: string): Promise<boolean>;
  /** All sessions of the account, or all but one. */
  deleteOf(userId: string, except?: string): Promise<void>;
  /** Expired sessions of all accounts. */
  deleteEnded(now: string, lastSeenBefore: string): Promise<void>;
}

export function createSessions(db: Kysely<Tables>): SessionStore {
  return {
    async insert(session) {
      await db
        .insertInto("sessions")
        .values({
          id: session.id,
          user_id: session.userId,
          hash: session.hash,
          created_at: session.createdAt,
          last_seen_at: session.lastSeenAt,
          expires_at: session.expiresAt,
          address: session.address,
          user_agent: session.userAgent,
          opened_by: session.openedBy,
        })
        .execute();
    },
    async findOwned(hash) {
      const row = await db
        .selectFrom("sessions")
        .innerJoin("users", "users.id", "sessions.user_id")
        .selectAll("sessions")
        .select(OWNER_COLUMNS)
        .where("hash", "=", hash)
        .executeTakeFirst();
      return row && { session: toSession(row), owner: toOwner(row) };
    },
    async listOf(userId) {
      const rows = await db
        .selectFrom("sessions")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("created_at", "desc")
        .orderBy("id")
        .execute();
      return rows.map(toSession);
    },
    async touch(id, at, olderThan) {
      await db
        .updateTable("sessions")
        .set({ last_seen_at: at })
        .where("id", "=", id)
        .where("last_seen_at", "<", olderThan)
        .execute();
    },
    async delete(userId, id) {
      const result = await db
        .deleteFrom("sessions")
        .where("id", "=", id)
        .where("user_id", "=", userId)
        .executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
    async deleteOf(userId, except) {
      const all = db.deleteFrom("sessions").where("user_id", "=", userId);
      await (except === undefined ? all : all.where("id", "!=", except)).execute();
    },
    async deleteEnded(now, lastSeenBefore) {
      await db
        .deleteFrom("sessions")
        .where((row) => row.or([row("expires_at", "<=", now), row("last_seen_at", "<=", lastSeenBefore)]))
        .execute();
    },
  };
}

function toSession(row: Selectable<Tables["sessions"]>): SessionRecord {
  return {
    id: row.id,
    userId: row.user_id,
    hash: row.hash,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
    address: row.address,
    userAgent: row.user_agent,
    openedBy: row.opened_by === "link" || row.opened_by === "oidc" ? row.opened_by : "password",
  };
}
