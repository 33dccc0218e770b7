import { checkKeyLimits, KEY_SCOPES, type KeyLimits, type KeyScope } from "@parlance/protocol";
import { type Kysely, type Selectable, sql } from "kysely";
import type { Tables } from "./tables.ts";
import { OWNER_COLUMNS, type OwnerRecord, toOwner } from "./users.ts";

export interface ApiKeyRecord {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  /** The first characters of the secret, shown in lists. */
  readonly prefix: string;
  /** SHA-256 of the secret in hex. The secret itself is not stored. */
  readonly hash: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  /** What it may be used for; null: everything. */
  readonly scopes: readonly KeyScope[] | null;
  /** Its own limits; null: only those of the account. */
  readonly limits: KeyLimits | null;
}

/** A key with the state of its account. */
export interface OwnedApiKey {
  readonly key: ApiKeyRecord;
  readonly owner: OwnerRecord;
}

export interface ApiKeyStore {
  insert(key: ApiKeyRecord): Promise<void>;
  /** How many keys of the account work at this time. */
  countValid(userId: string, now: string): Promise<number>;
  findByHash(hash: string): Promise<ApiKeyRecord | undefined>;
  /** With its account, in one query, since it runs on every request. */
  findOwned(hash: string): Promise<OwnedApiKey | undefined>;
  find(id: string): Promise<ApiKeyRecord | undefined>;
  /** In the order of their creation. Of more than `limit`, the valid ones and then the newest. */
  listOf(userId: string, now: string, limit: number): Promise<readonly ApiKeyRecord[]>;
  /** False when there is no such key. */
  change(id: string, change: Partial<Pick<ApiKeyRecord, "name" | "limits">>): Promise<boolean>;
  /** False when there is no such key or it was revoked before. */
  revoke(id: string, at: string): Promise<boolean>;
  /** Writes only when the stored time is older than `olderThan`. */
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
          scopes: key.scopes?.join(" ") ?? null,
          limits: key.limits === null ? null : JSON.stringify(key.limits),
        })
        .execute();
    },
    async countValid(userId, now) {
      const { count } = await db
        .selectFrom("api_keys")
        .select((row) => row.fn.countAll<number>().as("count"))
        .where("user_id", "=", userId)
        .where("revoked_at", "is", null)
        .where((row) => row.or([row("expires_at", "is", null), row("expires_at", ">", now)]))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async findByHash(hash) {
      const row = await db.selectFrom("api_keys").selectAll().where("hash", "=", hash).executeTakeFirst();
      return row && toApiKey(row);
    },
    async findOwned(hash) {
      const row = await db
        .selectFrom("api_keys")
        .innerJoin("users", "users.id", "api_keys.user_id")
        .selectAll("api_keys")
        .select(OWNER_COLUMNS)
        .where("hash", "=", hash)
        .executeTakeFirst();
      return row && { key: toApiKey(row), owner: toOwner(row) };
    },
    async find(id) {
      const row = await db.selectFrom("api_keys").selectAll().where("id", "=", id).executeTakeFirst();
      return row && toApiKey(row);
    },
    async listOf(userId, now, limit) {
      const isInvalid = sql<number>`case when revoked_at is null and (expires_at is null or expires_at > ${now}) then 0 else 1 end`;
      const rows = await db
        .selectFrom("api_keys")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy(isInvalid)
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      const inOrder = rows.toSorted((a, b) => (`${a.created_at} ${a.id}` < `${b.created_at} ${b.id}` ? -1 : 1));
      return inOrder.map(toApiKey);
    },
    async change(id, { name, limits }) {
      const values = {
        ...(name === undefined ? {} : { name }),
        ...(limits === undefined ? {} : { limits: limits === null ? null : JSON.stringify(limits) }),
      };
      if (Object.keys(values).length === 0) return true;
      const result = await db.updateTable("api_keys").set(values).where("id", "=", id).executeTakeFirst();
      return result.numUpdatedRows > 0n;
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
    // A scope that this version does not know gives no rights.
    scopes: row.scopes === null ? null : KEY_SCOPES.filter((scope) => row.scopes?.split(" ").includes(scope)),
    limits: row.limits === null ? null : (checkKeyLimits(JSON.parse(row.limits) as KeyLimits) ?? null),
  };
}
