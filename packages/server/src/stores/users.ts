import type { Kysely, Selectable } from "kysely";
import type { Tables } from "./tables.ts";

export type Role = "admin" | "user";

export interface UserRecord {
  /** 32 lower-case hex digits. */
  readonly id: string;
  readonly role: Role;
  readonly nickname: string;
  readonly email: string | null;
  readonly createdAt: string;
}

export interface UserStore {
  insert(user: UserRecord): Promise<void>;
  find(id: string): Promise<UserRecord | undefined>;
  /** The first admin that was made. */
  findFirstAdmin(): Promise<UserRecord | undefined>;
}

export function createUsers(db: Kysely<Tables>): UserStore {
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

function toUser(row: Selectable<Tables["users"]>): UserRecord {
  return {
    id: row.id,
    role: row.role === "admin" ? "admin" : "user",
    nickname: row.nickname,
    email: row.email,
    createdAt: row.created_at,
  };
}
