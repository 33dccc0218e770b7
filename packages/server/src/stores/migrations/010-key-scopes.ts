import type { Migration } from "./migrate.ts";

/** What a key may be used for. Keys without scopes, as all that exist, may be used for everything. */
export const keyScopes: Migration = {
  name: "key-scopes",
  up: async (db) => {
    await db.schema.alterTable("api_keys").addColumn("scopes", "text").execute();
  },
};
