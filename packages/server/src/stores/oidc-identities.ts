import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** A person at an OpenID Connect provider: the subject is unique for the issuer and never changes. */
export interface OidcIdentity {
  readonly issuer: string;
  readonly subject: string;
}

export interface OidcIdentityStore {
  findUser(identity: OidcIdentity): Promise<string | undefined>;
  /** Keeps the account that was linked first. */
  link(identity: OidcIdentity, userId: string, at: string): Promise<void>;
}

export function createOidcIdentities(db: Kysely<Tables>): OidcIdentityStore {
  return {
    async findUser({ issuer, subject }) {
      const row = await db
        .selectFrom("oidc_identities")
        .select("user_id")
        .where("issuer", "=", issuer)
        .where("subject", "=", subject)
        .executeTakeFirst();
      return row?.user_id;
    },
    async link({ issuer, subject }, userId, at) {
      await db
        .insertInto("oidc_identities")
        .values({ issuer, subject, user_id: userId, created_at: at })
        .onConflict((conflict) => conflict.columns(["issuer", "subject"]).doNothing())
        .execute();
    },
  };
}
