import { fileURLToPath } from "node:url";
import { cloningEngine } from "../../engines/registry.ts";
import { floats, floatsOf, openSession } from "../../engines/session.ts";
import { FEATURES, featuresOf } from "./linear-map.ts";
import type { SpeakerFeatures } from "./speaker-features.ts";

/** Maps the features of a speaker to an embedding. */
export interface VoiceEncoder {
  encode(speaker: SpeakerFeatures): Promise<Float32Array>;
  close(): Promise<void>;
}

/** The network was trained through the engine itself: its output was spoken, measured and compared with the speaker. */
export async function loadVoiceEncoder(file: URL = cloningEngine.cloning.encoder): Promise<VoiceEncoder> {
  const session = await openSession(fileURLToPath(file), 1);
  return {
    async encode(speaker) {
      // The network takes NaN for "unknown": for an x-vector of NaN it would return an arbitrary voice.
      if (!speaker.vector.every(Number.isFinite)) throw new RangeError("the x-vector is not finite");
      const heard = Float32Array.from(featuresOf(speaker), (value) => value ?? Number.NaN);
      const voice = floatsOf(await session.run({ heard: floats(heard, 1, FEATURES) }), "voice");
      if (voice.length !== cloningEngine.cloning.embeddingSize || !voice.every(Number.isFinite))
        throw new Error("the voice encoder returned no embedding");
      return voice;
    },
    close: () => session.release(),
  };
}
