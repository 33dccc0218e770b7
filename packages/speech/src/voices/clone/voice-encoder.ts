import { fileURLToPath } from "node:url";
import { cloningEngine } from "../../engines/registry.ts";
import { floats, floatsOf, openSession } from "../../engines/session.ts";
import type { SpeakerFeatures } from "./speaker-features.ts";
import { type EncoderFiles, speakerNetworkVersion, voiceEncoderVersion } from "./voice-encoder-version.ts";

/** An embedding, and the version of the voice encoder that made it. */
export interface EncodedVoice {
  readonly embedding: Float32Array;
  /**
   * Empty where it is not known, since a machine of an earlier version made it, and where the vector of the speaker network was
   * missing. Such a voice is made again at the next start.
   */
  readonly encoder: string;
}

/** Maps the features of a speaker to an embedding. */
export interface VoiceEncoder {
  readonly version: string;
  encode(speaker: SpeakerFeatures): Promise<EncodedVoice>;
  close(): Promise<void>;
}

const VECTOR_SIZE = 128;
/** What the network is given where the pitch is unknown, as log2 of Hz. */
const USUAL_PITCH = 7.3;
/** What the network is given where the vector of the speaker network is unknown. */
const NO_VECTOR = new Float32Array(VECTOR_SIZE);

/** The network was trained through the engine itself: its output was spoken, measured and compared with the speaker. */
export async function loadVoiceEncoder(files: EncoderFiles = cloningEngine.cloning): Promise<VoiceEncoder> {
  const [version, network] = await Promise.all([voiceEncoderVersion(files), speakerNetworkVersion(files)]);
  // Last: it would stay open where one of the others fails.
  const session = await openSession(fileURLToPath(files.encoder), 1);
  return {
    version,
    async encode({ vector, networkVector, pitch }) {
      const known = networkVector?.network === network ? networkVector.values : undefined;
      const octaves = pitch === undefined ? USUAL_PITCH : Math.log2(pitch);
      const features = Float32Array.of(
        ...checked(vector, "the x-vector"),
        octaves,
        ...checked(known ?? NO_VECTOR, "the vector of the speaker network"),
      );
      const embedding = floatsOf(await session.run({ speaker: floats(features, 1, features.length) }), "voice");
      if (embedding.length !== cloningEngine.cloning.embeddingSize || !embedding.every(Number.isFinite))
        throw new Error("the voice encoder returned no embedding");
      return { embedding, encoder: known === undefined ? "" : version };
    },
    close: () => session.release(),
  };
}

function checked(vector: Float32Array, name: string): Float32Array {
  if (vector.length !== VECTOR_SIZE) throw new RangeError(`${name} has not ${VECTOR_SIZE} numbers`);
  if (!vector.every(Number.isFinite)) throw new RangeError(`${name} is not finite`);
  return vector;
}
