import type { Kysely, Selectable } from "kysely";
import type { ApiKeyRecord, ApiKeyStore, Records, UserRecord, UserStore } from "./store.ts";
import type { Tables } from "./tables.ts";

/** One query per method, in SQL that both databases read the same. */
export function createRecords(db: Kysely<Tables>): Records {
  return { users: createUsers(db), apiKeys: createApiKeys(db) };
}

function createUsers(db: Kysely<Tables>): UserStore {
  return {
    async insert(user) {
      const { createdAt, ...rest } = user;
      await db
        .insertInto("users")
        .values({ ...rest, created_at: createdAt })
        .execute();
    },
    async find(id) {
      const row = await db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();
      return row && toUser(row);
    },
    async findFirstAdmin() {
      const row = await db
        .selectFrom("users")
        .selectAll()
        .where("role", "=", "admin")
        .orderBy("created_at")
        .orderBy("id")
        .limit(1)
        .executeTakeFirst();
      return row && toUser(row);
    },
  };
}

function createApiKeys(db: Kysely<Tables>): ApiKeyStore {
  return {
    async insert(key) {
      await db
        .insertInto("api_keys")
        .values({
          id: key.id,
          user_id: key.userId,
          name: key.name,
          prefix: key.prefix,
          hash: key.hash,
          created_at: key.createdAt,
          expires_at: key.expiresAt,
          revoked_at: key.revokedAt,
          last_used_at: key.lastUsedAt,
        })
        .execute();
    },
    async findByHash(hash) {
      const row = await db.selectFrom("api_keys").selectAll().where("hash", "=", hash).executeTakeFirst();
      return row && toApiKey(row);
    },
    async listOf(userId) {
      const rows = await db
        .selectFrom("api_keys")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      return rows.map(toApiKey);
    },
    async revoke(id, at) {
      const result = await db
        .updateTable("api_keys")
        .set({ revoked_at: at })
        .where("id", "=", id)
        .where("revoked_at", "is", null)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },
    async touch(id, at, olderThan) {
      await db
        .updateTable("api_keys")
        .set({ last_used_at: at })
        .where("id", "=", id)
        .where((row) => row.or([row("last_used_at", "is", null), row("last_used_at", "<", olderThan)]))
        .execute();
    },
  };
}

function toUser(row: Selectable<Tables["users"]>): UserRecord {
  return {
    id: row.id,
    role: row.role === "admin" ? "admin" : "user",
    nickname: row.nickname,
    email: row.email,
    createdAt: row.created_at,
  };
}

function toApiKey(row: Selectable<Tables["api_keys"]>): ApiKeyRecord {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    prefix: row.prefix,
    hash: row.hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}
