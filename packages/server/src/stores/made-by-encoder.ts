import type { ExpressionBuilder } from "kysely";
import type { Tables } from "./tables.ts";

/** Whether this version of the voice encoder made the embedding of a voice. */
export const madeByEncoder =
  (encoder: string) =>
  ({ exists, selectFrom }: ExpressionBuilder<Tables, "voices">) =>
    exists(
      selectFrom("voice_blobs")
        .select("voice_id")
        .whereRef("voice_blobs.voice_id", "=", "voices.id")
        .where("kind", "=", "embedding")
        .where("text", "=", encoder),
    );
