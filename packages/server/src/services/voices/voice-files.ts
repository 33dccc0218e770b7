import { createHash } from "node:crypto";
import { newId } from "../../lib/ids.ts";
import { isoTime } from "../../lib/time.ts";
import { type ObjectStorage, ObjectStorageError } from "../../stores/object-storage.ts";
import type { Store } from "../../stores/store.ts";
import type { StoredBytes, VoiceBlob } from "../../stores/voice-blobs.ts";
import { type LogFor, logEvent } from "../../telemetry/log-events.ts";

/** The bytes of recordings and covers: in the database, or in an object storage. */
export interface VoiceFiles {
  /**
   * Writes the bytes to their place, then runs the work that stores the blobs in a transaction. What was written is deleted
   * when the work fails. Throws `ObjectStorageError`.
   */
  saved<Result>(
    voiceId: string,
    blobs: readonly VoiceBlob[],
    signal: AbortSignal,
    work: (stored: readonly VoiceBlob[]) => Promise<Result>,
  ): Promise<Result>;
  /** Undefined when the file is lost. Throws `ObjectStorageError` when it cannot be read now. */
  read(blob: StoredBytes, signal: AbortSignal): Promise<Buffer | undefined>;
}

export interface VoiceFilesParts {
  readonly store: Pick<Store, "voiceObjects">;
  /** Undefined: the bytes stay in the database. */
  readonly objects: ObjectStorage | undefined;
  readonly log: LogFor<"voice-file.unreadable" | "voice-file.release-failed">;
  readonly now?: () => number;
}

const EMPTY = Buffer.alloc(0);

export function createVoiceFiles({ store, objects, log, now = Date.now }: VoiceFilesParts): VoiceFiles {
  const write = async (
    storage: ObjectStorage,
    voiceId: string,
    blob: VoiceBlob,
    signal: AbortSignal,
    keys: string[],
  ): Promise<VoiceBlob> => {
    const { bytes, type } = blob;
    const key = `voices/${voiceId}/${newId()}`;
    // Before the object, so that it is known whatever happens then.
    await store.voiceObjects.insertPending({ key, voiceId, size: bytes.length, sha256: sha256(bytes) }, isoTime(now()));
    keys.push(key);
    await storage.put(key, { bytes, type }, signal);
    return { ...blob, bytes: EMPTY, object: key };
  };
  return {
    async saved(voiceId, blobs, signal, work) {
      if (objects === undefined) return work(blobs);
      const keys: string[] = [];
      try {
        const stored: VoiceBlob[] = [];
        for (const blob of blobs) stored.push(await write(objects, voiceId, blob, signal, keys));
        return await work(stored);
      } catch (error) {
        // Those that a transaction has stored stay. If the database is away, the sweep finds them later.
        await store.voiceObjects
          .releasePending(keys)
          .catch((err: unknown) => logEvent(log, "voice-file.release-failed", { err }));
        throw error;
      }
    },
    async read({ bytes, object }, signal) {
      if (object === undefined || object === null) return bytes;
      if (objects === undefined) throw new ObjectStorageError("a file is in an object storage: set PARLANCE_BLOBS_URL");
      const known = await store.voiceObjects.find(object);
      const read = known && (await objects.get(object, known.size, signal));
      if (read !== undefined && sha256(read) === known?.sha256) return read;
      logEvent(log, "voice-file.unreadable", { object });
      return undefined;
    },
  };
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
