import { dirname } from "node:path";
import type { ClonedSound, Cloning, RefinementOutcome } from "@parlance/speech";
import { isoTime } from "../../lib/time.ts";
import type { Store } from "../../stores/store.ts";
import { type LogFor, logEvent } from "../../telemetry/log-events.ts";
import type { UploadFolder } from "../uploads/upload-folder.ts";
import { withFiles } from "../uploads/with-file.ts";
import { decoderOffsetsBlob, embeddingBlob, storedVoice } from "./cloned-sound.ts";
import type { VoiceFiles } from "./voice-files.ts";

export interface RefineParts {
  readonly store: Store;
  readonly files: Pick<VoiceFiles, "read">;
  readonly uploads: Pick<UploadFolder, "create">;
  readonly nodeId: string;
  readonly cloning: Pick<Cloning, "refine">;
  /** Of one core. 0: this node refines no voice. */
  readonly share: number;
  readonly log: LogFor<"voice.refined">;
  readonly now: () => number;
}

/** With an owner of its own it gets its turn also while accounts have many recordings. */
const OWNER = "refinement";
const UNCHANGED: RefinementOutcome = { voice: undefined, similarity: undefined };

/** Refines a voice by gradient. It stays as it is where recordings that were left out do not agree. */
export function createRefining(parts: RefineParts): (voiceId: string, signal: AbortSignal) => Promise<void> {
  const { store, files, uploads, nodeId, cloning, share, log, now } = parts;

  async function refine(voiceId: string, voice: ClonedSound, signal: AbortSignal): Promise<RefinementOutcome> {
    const recordings: Buffer[] = [];
    for (const recording of await store.voiceBlobs.list(voiceId, "recording")) {
      const bytes = await files.read(recording, signal);
      if (bytes !== undefined) recordings.push(bytes);
    }
    if (recordings.length === 0) return UNCHANGED;
    return withFiles(uploads, recordings, (paths) => {
      const [first = ""] = paths;
      return cloning.refine({ owner: OWNER, workFolder: dirname(first), recordings: paths, voice, share }, signal);
    });
  }

  /** False when the voice was deleted, is to be made anew, or belongs to another node by now. */
  async function save(voiceId: string, { voice, similarity }: RefinementOutcome): Promise<boolean> {
    if (voice === undefined) return store.refinementQueue.save(voiceId, nodeId, similarity, undefined);
    return store.transaction(async (records) => {
      if (!(await records.refinementQueue.save(voiceId, nodeId, similarity, isoTime(now())))) return false;
      const embedding = embeddingBlob(voice);
      await records.voiceBlobs.remove(voiceId, "sample");
      await records.voiceBlobs.put(voiceId, "embedding", embedding);
      if (voice.decoderOffsets === undefined) await records.voiceBlobs.remove(voiceId, "decoder-offsets");
      else {
        const offsets = decoderOffsetsBlob(voice.decoderOffsets, embedding);
        await records.voiceBlobs.put(voiceId, "decoder-offsets", offsets);
      }
      return true;
    });
  }

  return async (voiceId, signal) => {
    const record = await store.voices.find(voiceId);
    const embedding = await store.voiceBlobs.find(voiceId, "embedding");
    // Deleted in the meantime.
    if (record === undefined || embedding === undefined) return;
    const outcome = await refine(voiceId, storedVoice(record, embedding), signal);
    signal.throwIfAborted();
    if (!(await save(voiceId, outcome))) return;
    logEvent(log, "voice.refined", { voiceId, kept: outcome.voice !== undefined, ...outcome.similarity });
  };
}
