import { AUDIT_ACTIONS, type AuditAction } from "@parlance/protocol";
import { type Kysely, type Selectable, sql } from "kysely";
import { countRows } from "./count-rows.ts";
import type { Tables } from "./tables.ts";
import { fold } from "./voice-records.ts";

export interface Named {
  readonly id: string | null;
  readonly name: string;
}

export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly action: AuditAction;
  readonly actor: Named | null;
  readonly keyId: string | null;
  readonly address: string;
  readonly target: Named | null;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface AuditFilter {
  readonly action?: AuditAction | undefined;
  readonly search?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export interface AuditLogStore {
  add(entry: AuditEntry): Promise<void>;
  /** Newest first. */
  list(filter: AuditFilter, page: { readonly offset: number; readonly limit: number }): Promise<readonly AuditEntry[]>;
  count(filter: AuditFilter): Promise<number>;
  /** The time of the entry with this place, counted from the newest; undefined: there are fewer. */
  timeOf(place: number): Promise<string | undefined>;
  /** Removes at most `limit` entries, and returns how many. */
  removeBefore(at: string, limit: number): Promise<number>;
}

export function createAuditLog(db: Kysely<Tables>): AuditLogStore {
  const matching = ({ action, search, since, until }: AuditFilter) => {
    let query = db.selectFrom("audit_log");
    if (action !== undefined) query = query.where("action", "=", action);
    if (since !== undefined) query = query.where("at", ">=", since);
    if (until !== undefined) query = query.where("at", "<", until);
    if (search !== undefined) {
      const pattern = `%${fold(search).replace(/[%_!]/g, "!$&")}%`;
      query = query.where(sql<boolean>`searched like ${pattern} escape '!'`);
    }
    return query;
  };
  return {
    async add({ id, at, action, actor, keyId, address, target, details }) {
      const words = [actor?.id, actor?.name, keyId, address, target?.id, target?.name];
      await db
        .insertInto("audit_log")
        .values({
          id,
          at,
          action,
          actor_id: actor?.id ?? null,
          actor_name: actor?.name ?? null,
          key_id: keyId,
          address,
          target_id: target?.id ?? null,
          target_name: target?.name ?? null,
          details: JSON.stringify(details),
          searched: fold(words.filter((word) => typeof word === "string").join("\n")),
        })
        .execute();
    },
    async list(filter, { offset, limit }) {
      const rows = await matching(filter)
        .selectAll()
        .orderBy("at", "desc")
        .orderBy("id", "desc")
        .offset(offset)
        .limit(limit)
        .execute();
      return rows.map(toEntry);
    },
    count: (filter) => countRows(matching(filter)),
    async timeOf(place) {
      const newest = db.selectFrom("audit_log").select("at").orderBy("at", "desc").orderBy("id", "desc");
      return (await newest.offset(place).limit(1).executeTakeFirst())?.at;
    },
    async removeBefore(at, limit) {
      const old = await db.selectFrom("audit_log").select("id").where("at", "<", at).limit(limit).execute();
      const ids = old.map(({ id }) => id);
      if (ids.length > 0) await db.deleteFrom("audit_log").where("id", "in", ids).execute();
      return ids.length;
    },
  };
}

function toEntry(row: Selectable<Tables["audit_log"]>): AuditEntry {
  return {
    id: row.id,
    at: row.at,
    // An action of a newer program is shown as the most general one.
    action: AUDIT_ACTIONS.find((action) => action === row.action) ?? "settings.changed",
    actor: row.actor_name === null ? null : { id: row.actor_id, name: row.actor_name },
    keyId: row.key_id,
    address: row.address,
    target: row.target_name === null ? null : { id: row.target_id, name: row.target_name },
    details: JSON.parse(row.details) as Record<string, unknown>,
  };
}
