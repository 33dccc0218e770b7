import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/**
 * recording: reference audio · heard: the analysis of each recording (duration, pitch, x-vector) · embedding: what the
 * engine speaks with · sample: a short example · cover: the picture
 */
export type VoiceBlobKind = "recording" | "heard" | "embedding" | "sample" | "cover";

export interface VoiceBlob {
  readonly number: number;
  /** A media type, or `float32`. */
  readonly type: string;
  /** For recordings the transcript, for samples the version of the voice. */
  readonly text: string | null;
  readonly bytes: Buffer;
}

export interface VoiceBlobStore {
  /** Replaces an existing blob. Throws when there is no such voice. */
  put(voiceId: string, kind: VoiceBlobKind, blob: VoiceBlob): Promise<void>;
  find(voiceId: string, kind: VoiceBlobKind): Promise<VoiceBlob | undefined>;
  list(voiceId: string, kind: VoiceBlobKind): Promise<readonly VoiceBlob[]>;
  setText(voiceId: string, kind: VoiceBlobKind, number: number, text: string): Promise<void>;
  remove(voiceId: string, kind: VoiceBlobKind): Promise<void>;
}

export function createVoiceBlobs(db: Kysely<Tables>): VoiceBlobStore {
  const of = (voiceId: string, kind: VoiceBlobKind) =>
    db
      .selectFrom("voice_blobs")
      .select(["number", "type", "text", "bytes"])
      .where("voice_id", "=", voiceId)
      .where("kind", "=", kind)
      .orderBy("number");
  return {
    async put(voiceId, kind, { number, type, text, bytes }) {
      await db
        .insertInto("voice_blobs")
        .values({ voice_id: voiceId, kind, number, type, text, bytes })
        .onConflict((conflict) =>
          conflict.columns(["voice_id", "kind", "number"]).doUpdateSet((row) => ({
            type: row.ref("excluded.type"),
            text: row.ref("excluded.text"),
            bytes: row.ref("excluded.bytes"),
          })),
        )
        .execute();
    },
    async find(voiceId, kind) {
      const row = await of(voiceId, kind).limit(1).executeTakeFirst();
      return row && toBlob(row);
    },
    async list(voiceId, kind) {
      return (await of(voiceId, kind).execute()).map(toBlob);
    },
    async setText(voiceId, kind, number, text) {
      await db
        .updateTable("voice_blobs")
        .set({ text })
        .where("voice_id", "=", voiceId)
        .where("kind", "=", kind)
        .where("number", "=", number)
        .execute();
    },
    async remove(voiceId, kind) {
      await db.deleteFrom("voice_blobs").where("voice_id", "=", voiceId).where("kind", "=", kind).execute();
    },
  };
}

function toBlob({ bytes, ...row }: Omit<VoiceBlob, "bytes"> & { readonly bytes: Buffer | ArrayBuffer }): VoiceBlob {
  return { ...row, bytes: Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes) };
}
