import type { Kysely } from "kysely";
import { ObjectStorageError } from "./object-storage.ts";
import type { Tables } from "./tables.ts";
import { createVoiceObjects } from "./voice-objects.ts";

/**
 * recording: reference audio · heard: the analysis of each recording (duration, pitch, x-vector) · network-vector: the vector
 * of each recording by the speaker network · embedding: what the engine speaks with · decoder-offsets: what a refined voice
 * adds to the decoder · sample: a short example · cover: the picture
 */
export type VoiceBlobKind =
  | "recording"
  | "heard"
  | "network-vector"
  | "embedding"
  | "decoder-offsets"
  | "sample"
  | "cover";

/** The kinds that may be kept in an object storage. The rest is small, and needed to speak. */
const FILE_KINDS = ["recording", "cover"] as const satisfies readonly VoiceBlobKind[];

export interface VoiceBlob {
  readonly number: number;
  /** A media type, or `float32`. */
  readonly type: string;
  /**
   * For recordings the transcript, for their analysis the range of the pitch, for their vectors the version of the speaker
   * network, for samples the version of the voice, for embeddings the version of the voice encoder, for decoder offsets a hash
   * of the embedding. A program that does not know the version of the encoder writes null, so it is never that of another
   * embedding; one that does not know decoder offsets leaves them, but their hash is that of another embedding then.
   */
  readonly text: string | null;
  /** Empty when an object holds them. */
  readonly bytes: Buffer;
  /** The key of the object that holds the bytes. */
  readonly object?: string | null;
}

/** The bytes themselves, or the key of the object that holds them. */
export type StoredBytes = Pick<VoiceBlob, "bytes" | "object">;

/** One blob of a voice. */
export interface VoiceBlobPlace {
  readonly voiceId: string;
  readonly kind: VoiceBlobKind;
  readonly number: number;
}

/** What a cloned voice speaks with. */
export interface StoredNumbers {
  readonly embedding: VoiceBlob;
  readonly decoderOffsets: VoiceBlob | undefined;
}

export interface VoiceBlobStore {
  /** Replaces an existing blob, and releases its object. Throws when there is no such voice. In a transaction where objects are used. */
  put(voiceId: string, kind: VoiceBlobKind, blob: VoiceBlob): Promise<void>;
  find(voiceId: string, kind: VoiceBlobKind): Promise<VoiceBlob | undefined>;
  list(voiceId: string, kind: VoiceBlobKind): Promise<readonly VoiceBlob[]>;
  /** What the engine speaks with, in one query, so that both are of the same moment. */
  findSound(voiceId: string): Promise<StoredNumbers | undefined>;
  setText(voiceId: string, kind: VoiceBlobKind, number: number, text: string): Promise<void>;
  /** In a transaction where objects are used. */
  remove(voiceId: string, kind: VoiceBlobKind): Promise<void>;
  /** Recordings and covers whose bytes are in the database, or in objects, after this one in order. */
  listPlaces(
    where: "database" | "objects",
    after: VoiceBlobPlace | undefined,
    limit: number,
  ): Promise<readonly VoiceBlobPlace[]>;
  findAt(place: VoiceBlobPlace): Promise<VoiceBlob | undefined>;
  /** Moves the bytes of a blob into an object, or back. False when it has changed. In a transaction. */
  moveBytes(place: VoiceBlobPlace, from: StoredBytes, to: StoredBytes): Promise<boolean>;
}

export function createVoiceBlobs(db: Kysely<Tables>): VoiceBlobStore {
  const objects = createVoiceObjects(db);
  const release = async (voiceId: string, kind: VoiceBlobKind, number?: number): Promise<void> => {
    let query = db.selectFrom("voice_blobs").select("object").where("voice_id", "=", voiceId).where("kind", "=", kind);
    if (number !== undefined) query = query.where("number", "=", number);
    const rows = await query.where("object", "is not", null).execute();
    await objects.releaseStored(rows.flatMap(({ object }) => object ?? []));
  };
  const useObject = async (key: string): Promise<void> => {
    if (!(await objects.markStored(key))) throw new ObjectStorageError("the object was not stored in time");
  };
  const of = (voiceId: string, kind: VoiceBlobKind) =>
    db
      .selectFrom("voice_blobs")
      .select(["number", "type", "text", "bytes", "object"])
      .where("voice_id", "=", voiceId)
      .where("kind", "=", kind)
      .orderBy("number");
  return {
    async put(voiceId, kind, { number, type, text, bytes, object = null }) {
      if (FILE_KINDS.some((each) => each === kind)) await release(voiceId, kind, number);
      if (object !== null) await useObject(object);
      await db
        .insertInto("voice_blobs")
        .values({ voice_id: voiceId, kind, number, type, text, bytes, object })
        .onConflict((conflict) =>
          conflict.columns(["voice_id", "kind", "number"]).doUpdateSet((row) => ({
            type: row.ref("excluded.type"),
            text: row.ref("excluded.text"),
            bytes: row.ref("excluded.bytes"),
            object: row.ref("excluded.object"),
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
    async findSound(voiceId) {
      const rows = await db
        .selectFrom("voice_blobs")
        .select(["kind", "number", "type", "text", "bytes", "object"])
        .where("voice_id", "=", voiceId)
        .where("kind", "in", ["embedding", "decoder-offsets"])
        .execute();
      const find = (wanted: VoiceBlobKind): VoiceBlob | undefined => {
        const row = rows.find(({ kind }) => kind === wanted);
        if (row === undefined) return undefined;
        const { kind: _, ...blob } = row;
        return toBlob(blob);
      };
      const embedding = find("embedding");
      return embedding && { embedding, decoderOffsets: find("decoder-offsets") };
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
      await release(voiceId, kind);
      await db.deleteFrom("voice_blobs").where("voice_id", "=", voiceId).where("kind", "=", kind).execute();
    },
    async listPlaces(where, after, limit) {
      const rows = await db
        .selectFrom("voice_blobs")
        .select(["voice_id", "kind", "number"])
        .where("kind", "in", FILE_KINDS)
        .where("object", where === "database" ? "is" : "is not", null)
        .$if(after !== undefined, (query) =>
          query.where((row) =>
            row(
              row.refTuple("voice_id", "kind", "number"),
              ">",
              row.tuple(after?.voiceId ?? "", after?.kind ?? "", after?.number ?? 0),
            ),
          ),
        )
        .orderBy("voice_id")
        .orderBy("kind")
        .orderBy("number")
        .limit(limit)
        .execute();
      return rows.flatMap(({ voice_id: voiceId, kind, number }) => {
        const known = FILE_KINDS.find((each) => each === kind);
        return known === undefined ? [] : [{ voiceId, kind: known, number }];
      });
    },
    async findAt({ voiceId, kind, number }) {
      const row = await of(voiceId, kind).where("number", "=", number).executeTakeFirst();
      return row && toBlob(row);
    },
    async moveBytes({ voiceId, kind, number }, from, to) {
      const key = from.object ?? null;
      const moved = await db
        .updateTable("voice_blobs")
        .set({ bytes: to.bytes, object: to.object ?? null })
        .where("voice_id", "=", voiceId)
        .where("kind", "=", kind)
        .where("number", "=", number)
        .where("object", key === null ? "is" : "=", key)
        .where("bytes", "=", from.bytes)
        .executeTakeFirst();
      if (moved.numUpdatedRows === 0n) return false;
      if (key !== null) await objects.releaseStored([key]);
      if (to.object) await useObject(to.object);
      return true;
    },
  };
}

function toBlob({ bytes, ...row }: Omit<VoiceBlob, "bytes"> & { readonly bytes: Buffer | ArrayBuffer }): VoiceBlob {
  return { ...row, bytes: Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes) };
}
