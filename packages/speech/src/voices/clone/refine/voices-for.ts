import type { VoiceParameters } from "../../../engines/kokoro/student/voice-gradient.ts";
import type { SpeakerVectors } from "../gradient/speaker-files.ts";
import type { VoiceEncoder } from "../voice-encoder.ts";

export interface KnownVoice {
  /** As the voice encoder made it, for `speaker`. */
  readonly voice: VoiceParameters;
  readonly speaker: SpeakerVectors;
  /** In Hz. */
  readonly pitch: number | undefined;
}

/**
 * Makes the same voice for other vectors, as those of some of its recordings. `speakerNetwork`: the version of the first network
 * of the vectors, which is that of the voice encoder.
 */
export async function createVoicesFor(
  encoder: Pick<VoiceEncoder, "encode">,
  speakerNetwork: string,
  { voice, speaker, pitch }: KnownVoice,
): Promise<(speaker: SpeakerVectors) => Promise<VoiceParameters>> {
  async function encode({ xvector, networks: [values] }: SpeakerVectors): Promise<Float32Array> {
    const networkVector = values && { values, network: speakerNetwork };
    return (await encoder.encode({ vector: xvector, networkVector, pitch })).embedding;
  }
  const known = await encode(speaker);
  return async (other) => {
    const embedding = await encode(other);
    // The timbre of the voice has the offset of the language, too.
    return { ...voice, timbre: voice.timbre.map((value, i) => value + (embedding[i] ?? 0) - (known[i] ?? 0)) };
  };
}
