import { PLAN_NAMES, type PlanName, type Role } from "@parlance/protocol";
import { type Kysely, type Selectable, sql } from "kysely";
import type { Tables } from "./tables.ts";

export interface UserRecord {
  /** 32 lower-case hex digits. */
  readonly id: string;
  readonly role: Role;
  readonly plan: PlanName;
  readonly nickname: string;
  /** In lower case. */
  readonly email: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Set: keys, sessions and sign-in of this account are refused. */
  readonly disabledAt: string | null;
}

export interface UserChange {
  readonly role?: Role | undefined;
  readonly plan?: PlanName | undefined;
  readonly nickname?: string | undefined;
  readonly email?: string | null | undefined;
  readonly disabledAt?: string | null | undefined;
}

export interface UserPage {
  readonly search?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

export interface UserStore {
  insert(user: UserRecord, passwordHash?: string): Promise<void>;
  /** In a transaction: others that lock the same user wait until it ends. */
  lock(id: string): Promise<void>;
  find(id: string): Promise<UserRecord | undefined>;
  findByEmail(email: string): Promise<UserRecord | undefined>;
  /** The oldest admin. */
  findFirstAdmin(): Promise<UserRecord | undefined>;
  /** Oldest first. `search` is part of an e-mail address or nickname, or the start of an id. */
  list(page: UserPage): Promise<readonly UserRecord[]>;
  count(search?: string): Promise<number>;
  /** Admins that are not disabled. */
  countAdmins(): Promise<number>;
  /** Which of these are disabled. */
  disabledOf(ids: readonly string[]): Promise<readonly string[]>;
  /** False when there is no such user. */
  update(id: string, change: UserChange, at: string): Promise<boolean>;
  /** Which of these have a password. */
  withPassword(ids: readonly string[]): Promise<readonly string[]>;
  /** Null when there is no such user or no password. Not part of the record, so that it is never shown by accident. */
  passwordHash(id: string): Promise<string | null>;
  setPasswordHash(id: string, hash: string, at: string): Promise<boolean>;
}

export function createUsers(db: Kysely<Tables>): UserStore {
  const matching = (search: string | undefined) => {
    const all = db.selectFrom("users");
    if (search === undefined || search === "") return all;
    const pattern = search.replace(/[%_!]/g, "!$&");
    const lower = pattern.toLowerCase();
    // Also without lower(): SQLite lowers ASCII only.
    return all.where((row) =>
      row.or([
        sql<boolean>`lower(nickname) like ${`%${lower}%`} escape '!'`,
        sql<boolean>`nickname like ${`%${pattern}%`} escape '!'`,
        sql<boolean>`email like ${`%${lower}%`} escape '!'`,
        sql<boolean>`id like ${`${lower}%`} escape '!'`,
      ]),
    );
  };
  async function idsWith(column: "disabled_at" | "password_hash", ids: readonly string[]): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom("users")
      .select("id")
      .where("id", "in", ids)
      .where(column, "is not", null)
      .execute();
    return rows.map((row) => row.id);
  }

  return {
    async insert(user, passwordHash) {
      await db
        .insertInto("users")
        .values({
          id: user.id,
          role: user.role,
          plan: user.plan,
          nickname: user.nickname,
          email: user.email,
          password_hash: passwordHash ?? null,
          created_at: user.createdAt,
          updated_at: user.updatedAt,
          disabled_at: user.disabledAt,
        })
        .execute();
    },
    async lock(id) {
      // SQLite has no `select for update`.
      await db
        .updateTable("users")
        .set((row) => ({ updated_at: row.ref("updated_at") }))
        .where("id", "=", id)
        .execute();
    },
    async find(id) {
      const row = await db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();
      return row && toUser(row);
    },
    async findByEmail(email) {
      const row = await db.selectFrom("users").selectAll().where("email", "=", email).executeTakeFirst();
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
    async list({ search, offset, limit }) {
      const rows = await matching(search)
        .selectAll()
        .orderBy("created_at")
        .orderBy("id")
        .limit(limit)
        .offset(offset)
        .execute();
      return rows.map(toUser);
    },
    async count(search) {
      const { total } = await matching(search)
        .select((row) => row.fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return Number(total);
    },
    async countAdmins() {
      const { total } = await db
        .selectFrom("users")
        .select((row) => row.fn.countAll<number>().as("total"))
        .where("role", "=", "admin")
        .where("disabled_at", "is", null)
        .executeTakeFirstOrThrow();
      return Number(total);
    },
    disabledOf: (ids) => idsWith("disabled_at", ids),
    async update(id, change, at) {
      const { role, plan, nickname, email, disabledAt } = change;
      const result = await db
        .updateTable("users")
        .set({
          updated_at: at,
          ...(role === undefined ? {} : { role }),
          ...(plan === undefined ? {} : { plan }),
          ...(nickname === undefined ? {} : { nickname }),
          ...(email === undefined ? {} : { email }),
          ...(disabledAt === undefined ? {} : { disabled_at: disabledAt }),
        })
        .where("id", "=", id)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },
    withPassword: (ids) => idsWith("password_hash", ids),
    async passwordHash(id) {
      const row = await db.selectFrom("users").select("password_hash").where("id", "=", id).executeTakeFirst();
      return row?.password_hash ?? null;
    },
    async setPasswordHash(id, hash, at) {
      const result = await db
        .updateTable("users")
        .set({ password_hash: hash, updated_at: at })
        .where("id", "=", id)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },
  };
}

function toUser(row: Selectable<Tables["users"]>): UserRecord {
  return {
    id: row.id,
    role: toRole(row.role),
    plan: toPlan(row.plan),
    nickname: row.nickname,
    email: row.email,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    disabledAt: row.disabled_at,
  };
}

/** Unknown values, written by a newer program, get the fewest rights. */
/** What a query of a credential selects of the account that owns it. */
export const OWNER_COLUMNS = ["users.role", "users.plan", "users.disabled_at"] as const;

export type OwnerRecord = Pick<UserRecord, "role" | "plan" | "disabledAt">;

export function toOwner(row: Pick<Selectable<Tables["users"]>, "role" | "plan" | "disabled_at">): OwnerRecord {
  return { role: toRole(row.role), plan: toPlan(row.plan), disabledAt: row.disabled_at };
}

function toRole(role: string): Role {
  return role === "admin" ? "admin" : "member";
}

export function toPlan(plan: string): PlanName {
  return PLAN_NAMES.find((name) => name === plan) ?? "free";
}
