import { clamp } from "../../lib/clamp.ts";
import type { CustomVoice } from "../../speech.ts";
import { lettersPerSecond, paceFor } from "./pace.ts";
import { prosodyFor } from "./prosody.ts";
import { meanFeatures, type SpeakerFeatures, type WeightedFeatures } from "./speaker-features.ts";
import type { EncodedVoice } from "./voice-encoder.ts";

/** The analysis of one recording: speaker features, seconds of speech, and its text. */
export type AnalyzedRecording = WeightedFeatures & { readonly text?: string | null | undefined };

/** What `cloningEngine` speaks with. */
export interface ClonedSound extends CustomVoice {
  /** The timbre. */
  readonly embedding: Float32Array;
  readonly prosody: string;
  readonly pitch: number;
  readonly pitchRange: number;
  /** The version of the voice encoder that made the timbre; empty where it is not known. */
  readonly encoder: string;
}

/** Further from that of the prosody, the pitch sounds unnatural. */
const MIN_AND_MAX_PITCH = [0.5, 2] as const;
/** Beyond, speech is monotonous or excited. */
const MIN_AND_MAX_RANGE = [0.6, 1.4] as const;

/**
 * The voice of a speaker: the timbre by the voice encoder, the prosody of the stock voice with the nearest pitch, brought to
 * the pitch of the speaker and its range, and to the pace where the texts of the recordings are known. The same recordings
 * give the same voice.
 */
export async function makeVoice(
  recordings: readonly AnalyzedRecording[],
  encode: (speaker: SpeakerFeatures) => Promise<EncodedVoice>,
): Promise<ClonedSound> {
  const speaker = meanFeatures(recordings);
  const prosody = prosodyFor(speaker.pitch);
  const letters = lettersPerSecond(recordings.map(({ text, weight }) => ({ text, seconds: weight })));
  return {
    ...(await encode(speaker)),
    prosody: prosody.name,
    pitch: speaker.pitch === undefined ? 1 : clamp(speaker.pitch / prosody.pitch, ...MIN_AND_MAX_PITCH),
    pitchRange:
      speaker.pitchRange === undefined ? 1 : clamp(speaker.pitchRange / prosody.pitchRange, ...MIN_AND_MAX_RANGE),
    pace: paceFor(letters, prosody.lettersPerSecond),
  };
}
