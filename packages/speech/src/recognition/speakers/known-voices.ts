import { join } from "node:path";
import type { Decoder } from "../../audio/decode/index.ts";
import { AudioError } from "../../errors.ts";
import type { KnownSpeaker } from "../../transcript.ts";
import type { RecognitionWorkers } from "../recognition-pool.ts";
import { embedRecording, type KnownVoice } from "./find-speakers.ts";

/** A recording of a known speaker. A shorter one does not identify a voice; more is not needed. */
export const REFERENCE_SECONDS = { min: 1, max: 30 };
/** The sample rate of decoded recordings. */
const SAMPLE_RATE = 16_000;

/** The x-vectors of known speakers. Throws `AudioError` for a recording that cannot be used, with the name of the speaker. */
export async function knownVoices(
  known: readonly KnownSpeaker[],
  { folder, owner }: { readonly folder: string; readonly owner: string | undefined },
  decoder: Decoder,
  workers: RecognitionWorkers,
  signal: AbortSignal,
): Promise<readonly KnownVoice[]> {
  const voices: KnownVoice[] = [];
  for (const [index, { name, voice }] of known.entries()) {
    if (typeof voice !== "string") {
      voices.push({ name, vector: voice });
      continue;
    }
    const path = join(folder, `known-${index}`);
    const limits = { sampleRate: SAMPLE_RATE, minSeconds: REFERENCE_SECONDS.min, maxSeconds: REFERENCE_SECONDS.max };
    const { seconds } = await decoder.decode(voice, path, { owner, ...limits }, signal).catch((error: unknown) => {
      throw error instanceof AudioError ? new KnownSpeakerError(name, error) : error;
    });
    const vector = await embedRecording({ path }, seconds, workers, signal);
    if (vector === undefined) throw new KnownSpeakerError(name, new AudioError("no_audio", "there is no speech in it"));
    voices.push({ name, vector });
  }
  return voices;
}

/** The recording of a known speaker cannot be used. */
export class KnownSpeakerError extends AudioError {
  readonly speaker: string;

  constructor(speaker: string, cause: AudioError) {
    super(cause.code, cause.message, cause.seconds, cause);
    this.name = "KnownSpeakerError";
    this.speaker = speaker;
  }
}
