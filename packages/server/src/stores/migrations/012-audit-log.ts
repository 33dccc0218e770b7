import type { Migration } from "./migrate.ts";

/** No foreign keys: entries name accounts, keys and voices as they were then. */
export const auditLog: Migration = {
  name: "audit-log",
  expands: true,
  up: async ({ schema }) => {
    await schema
      .createTable("audit_log")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("at", "text", (column) => column.notNull())
      .addColumn("action", "text", (column) => column.notNull())
      .addColumn("actor_id", "text")
      .addColumn("actor_name", "text")
      .addColumn("key_id", "text")
      .addColumn("address", "text", (column) => column.notNull())
      .addColumn("target_id", "text")
      .addColumn("target_name", "text")
      .addColumn("details", "text", (column) => column.notNull())
      .addColumn("searched", "text", (column) => column.notNull())
      .execute();
    await schema.createIndex("audit_log_by_time").on("audit_log").columns(["at", "id"]).execute();
    await schema.createIndex("audit_log_by_action").on("audit_log").columns(["action", "at"]).execute();
  },
};
