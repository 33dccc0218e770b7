import type { Kysely } from "kysely";
import { type ApiKeyStore, createApiKeys } from "./api-keys.ts";
import type { Tables } from "./tables.ts";
import { createUsers, type UserStore } from "./users.ts";

/**
 * Records as the services see them, one query per method, in SQL that both databases read the same.
 * Times are RFC 3339 in UTC, always with milliseconds, so that they sort as text.
 */
export interface Records {
  readonly users: UserStore;
  readonly apiKeys: ApiKeyStore;
}

export interface Store extends Records {
  /** All of it is kept, or nothing. */
  transaction<Result>(work: (records: Records) => Promise<Result>): Promise<Result>;
  /** The same, and it runs alone among all processes that use this database. */
  exclusively<Result>(work: (records: Records) => Promise<Result>): Promise<Result>;
  /** Throws when the database cannot be read. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** What differs between the two databases. */
export interface Driver {
  readonly db: Kysely<Tables>;
  transaction<Result>(work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  exclusively<Result>(work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>;
}

export function createStore({ db, transaction, exclusively }: Driver): Store {
  return {
    ...createRecords(db),
    transaction: (work) => transaction((bound) => work(createRecords(bound))),
    exclusively: (work) => exclusively((bound) => work(createRecords(bound))),
    async ping() {
      await db.selectNoFrom((row) => row.lit(1).as("one")).execute();
    },
    close: () => db.destroy(),
  };
}

function createRecords(db: Kysely<Tables>): Records {
  return { users: createUsers(db), apiKeys: createApiKeys(db) };
}
