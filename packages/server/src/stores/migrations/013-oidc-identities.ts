import type { Migration } from "./migrate.ts";

/** Which account belongs to a person at an OpenID Connect provider. */
export const oidcIdentities: Migration = {
  name: "oidc-identities",
  expands: true,
  up: async ({ schema }) => {
    await schema
      .createTable("oidc_identities")
      .addColumn("issuer", "text", (column) => column.notNull())
      .addColumn("subject", "text", (column) => column.notNull())
      .addColumn("user_id", "text", (column) => column.notNull().references("users.id"))
      .addColumn("created_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("oidc_identities_key", ["issuer", "subject"])
      .execute();
  },
};
