import { sql } from "kysely";
import type { Migration } from "./migrate.ts";

export const wallet: Migration = {
  name: "nodes, wallets, ledger, reservations and subscriptions",
  up: async ({ schema }) => {
    await schema
      .createTable("nodes")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("started_at", "text", (column) => column.notNull())
      .addColumn("beat_at", "text", (column) => column.notNull())
      .execute();
    await schema
      .createTable("wallets")
      .addColumn("user_id", "text", (column) => column.primaryKey().references("users.id"))
      .addColumn("package_id", "text", (column) => column.notNull())
      .addColumn("credit_id", "text", (column) => column.notNull())
      .addColumn("plan", "text", (column) => column.notNull())
      .addColumn("total", "bigint", (column) => column.notNull())
      .addColumn("balance", "bigint", (column) => column.notNull())
      .addColumn("extra", "bigint", (column) => column.notNull())
      .addColumn("topped_up", "bigint", (column) => column.notNull())
      .addColumn("period", "integer", (column) => column.notNull())
      .addColumn("anchor_at", "text", (column) => column.notNull())
      .addColumn("period_end", "text", (column) => column.notNull())
      .addColumn("entries", "bigint", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("updated_at", "text", (column) => column.notNull())
      // The services ensure this; the constraint guards against bugs in them.
      .addCheckConstraint("wallets_never_negative", sql`balance >= 0 and extra >= 0`)
      .execute();
    await schema
      .createTable("ledger")
      .addColumn("user_id", "text", (column) => column.notNull().references("wallets.user_id"))
      .addColumn("number", "bigint", (column) => column.notNull())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("bucket", "text", (column) => column.notNull())
      .addColumn("amount", "bigint", (column) => column.notNull())
      .addColumn("request_id", "text", (column) => column.notNull())
      .addColumn("at", "text", (column) => column.notNull())
      .addColumn("note", "text")
      .addColumn("made_by", "text")
      .addPrimaryKeyConstraint("ledger_key", ["user_id", "number"])
      .addUniqueConstraint("ledger_once", ["user_id", "request_id", "kind", "bucket"])
      .execute();
    await schema
      .createTable("reservations")
      .addColumn("user_id", "text", (column) => column.notNull().references("wallets.user_id"))
      .addColumn("request_id", "text", (column) => column.notNull())
      .addColumn("node", "text", (column) => column.notNull())
      .addColumn("operation", "text", (column) => column.notNull())
      .addColumn("from_package", "bigint", (column) => column.notNull())
      .addColumn("from_extra", "bigint", (column) => column.notNull())
      .addColumn("delivered", "bigint", (column) => column.notNull())
      .addColumn("period", "integer", (column) => column.notNull())
      .addColumn("opened_at", "text", (column) => column.notNull())
      .addColumn("expires_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("reservations_key", ["user_id", "request_id"])
      .execute();
    await schema.createIndex("reservations_of_node").on("reservations").column("node").execute();
    await schema.createIndex("reservations_by_expiry").on("reservations").column("expires_at").execute();
    await schema
      .createTable("subscriptions")
      .addColumn("user_id", "text", (column) => column.primaryKey().references("users.id"))
      .addColumn("provider_subscription_id", "text")
      .addColumn("provider_price_id", "text")
      .addColumn("billing_period", "text")
      .addColumn("current_period_end", "text")
      .addColumn("cancel_at_period_end", "integer")
      .addColumn("cancel_at", "text")
      .addColumn("scheduled_change", "text")
      .addColumn("last_synced_at", "text")
      .addColumn("subscription_currency", "text")
      .addColumn("has_used_trial", "integer", (column) => column.notNull())
      .execute();
  },
};
