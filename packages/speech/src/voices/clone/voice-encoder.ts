import { fileURLToPath } from "node:url";
import { cloningEngine } from "../../engines/registry.ts";
import { floats, floatsOf, openSession } from "../../engines/session.ts";
import type { SpeakerFeatures } from "./speaker-features.ts";
import { voiceEncoderVersion } from "./voice-encoder-version.ts";

/** An embedding, and the version of the voice encoder that made it. */
export interface EncodedVoice {
  readonly embedding: Float32Array;
  /** Empty where it is not known: a machine of an earlier version made it. */
  readonly encoder: string;
}

/** Maps the features of a speaker to an embedding. */
export interface VoiceEncoder {
  readonly version: string;
  encode(speaker: SpeakerFeatures): Promise<Float32Array>;
  close(): Promise<void>;
}

const VECTOR_SIZE = 128;
/** What the network is given where the pitch is unknown, as log2 of Hz. */
const USUAL_PITCH = 7.3;

/** The network was trained through the engine itself: its output was spoken, measured and compared with the speaker. */
export async function loadVoiceEncoder(file: URL = cloningEngine.cloning.encoder): Promise<VoiceEncoder> {
  const [version, session] = await Promise.all([voiceEncoderVersion(file), openSession(fileURLToPath(file), 1)]);
  return {
    version,
    async encode({ vector, pitch }) {
      if (vector.length !== VECTOR_SIZE || !vector.every(Number.isFinite))
        throw new RangeError("the x-vector is not finite");
      const features = Float32Array.of(...vector, pitch === undefined ? USUAL_PITCH : Math.log2(pitch));
      const voice = floatsOf(await session.run({ speaker: floats(features, 1, features.length) }), "voice");
      if (voice.length !== cloningEngine.cloning.embeddingSize || !voice.every(Number.isFinite))
        throw new Error("the voice encoder returned no embedding");
      return voice;
    },
    close: () => session.release(),
  };
}
