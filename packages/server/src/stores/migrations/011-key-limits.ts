import type { Migration } from "./migrate.ts";

/** Limits of single keys, and what each key has spent. Open reservations of before belong to no key. */
export const keyLimits: Migration = {
  name: "key-limits",
  expands: true,
  up: async ({ schema }) => {
    await schema.alterTable("api_keys").addColumn("limits", "text").execute();
    await schema.alterTable("reservations").addColumn("key_id", "text").execute();
    await schema
      .createTable("key_spending")
      .addColumn("key_id", "text", (column) => column.primaryKey())
      .addColumn("day", "text", (column) => column.notNull())
      .addColumn("day_credits", "bigint", (column) => column.notNull())
      .addColumn("month", "text", (column) => column.notNull())
      .addColumn("month_credits", "bigint", (column) => column.notNull())
      .addColumn("total_credits", "bigint", (column) => column.notNull())
      .execute();
  },
};
