import type { Kysely, Selectable } from "kysely";
import type { Tables } from "./tables.ts";

export interface ApiKeyRecord {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  /** The first characters of the secret, so that people recognise it in a list. */
  readonly prefix: string;
  /** SHA-256 of the secret in hex. The secret itself is not stored. */
  readonly hash: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
}

export interface ApiKeyStore {
  insert(key: ApiKeyRecord): Promise<void>;
  findByHash(hash: string): Promise<ApiKeyRecord | undefined>;
  listOf(userId: string): Promise<readonly ApiKeyRecord[]>;
  /** False when there is no such key or it was revoked before. */
  revoke(id: string, at: string): Promise<boolean>;
  /** Writes only when the time on record is older than `olderThan`. */
  touch(id: string, at: string, olderThan: string): Promise<void>;
}

export function createApiKeys(db: Kysely<Tables>): ApiKeyStore {
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
