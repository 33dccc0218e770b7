import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

export interface VoiceAlias {
  /** The id that clients of other servers send. */
  readonly referenceId: string;
  /** The id or short name of a voice of this server. */
  readonly voice: string;
}

export interface VoiceAliasStore {
  list(): Promise<readonly VoiceAlias[]>;
  find(referenceIds: readonly string[]): Promise<readonly VoiceAlias[]>;
  put(alias: VoiceAlias): Promise<void>;
  /** False when there was none. */
  remove(referenceId: string): Promise<boolean>;
}

export function createVoiceAliases(db: Kysely<Tables>): VoiceAliasStore {
  const all = () => db.selectFrom("voice_aliases").select(["reference_id as referenceId", "voice"]);
  return {
    list: () => all().orderBy("reference_id").execute(),
    find: (referenceIds) => all().where("reference_id", "in", referenceIds).execute(),
    async put({ referenceId, voice }) {
      await db
        .insertInto("voice_aliases")
        .values({ reference_id: referenceId, voice })
        .onConflict((conflict) => conflict.column("reference_id").doUpdateSet({ voice }))
        .execute();
    },
    async remove(referenceId) {
      const { numDeletedRows } = await db
        .deleteFrom("voice_aliases")
        .where("reference_id", "=", referenceId)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}
