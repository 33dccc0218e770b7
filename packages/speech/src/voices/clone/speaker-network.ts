import { rms } from "../../audio/rms.ts";
import { floats, floatsOf, openSession } from "../../engines/session.ts";
import { MEL_BANDS, MEL_BANDS_RATE, melBands } from "./mel-bands.ts";
import { sumOf, unit } from "./xvector/vectors.ts";

/** The sample rate of the speech that speaker networks take. */
export const SPEAKER_NETWORK_RATE = MEL_BANDS_RATE;

/** A small network for speaker vectors beside the x-vector; see training/many-voices/speaker_network.py. */
export interface SpeakerNetwork {
  /** The vector of some speech, of length 1. Memory grows with the length of the speech. */
  vectorOf(samples: Float32Array): Promise<Float32Array>;
  close(): Promise<void>;
}

const MAX_WINDOW_SECONDS = 10;
/** The level of speech in the training. */
const LEVEL = 0.1;
const LEAST_LEVEL = 1e-3;

export async function loadSpeakerNetwork(file: string, threads = 1): Promise<SpeakerNetwork> {
  const session = await openSession(file, threads, { keepMemory: false });
  return {
    async vectorOf(samples) {
      const bands = melBands(samples);
      return floatsOf(await session.run({ features: floats(bands, 1, MEL_BANDS, bands.length / MEL_BANDS) }), "vector");
    },
    close: () => session.release(),
  };
}

/** The gain that brings speech to the level of the training. */
export const gainOf = (speech: Float32Array): number => LEVEL / Math.max(rms(speech), LEAST_LEVEL);

/** The mean vector of speech of any length, of length 1: in windows of 5 to 10 s, each at the level of the training. */
export async function meanVectorOf(
  network: Pick<SpeakerNetwork, "vectorOf">,
  samples: Float32Array,
  signal: AbortSignal,
): Promise<Float32Array> {
  const count = Math.max(1, Math.ceil(samples.length / (MAX_WINDOW_SECONDS * SPEAKER_NETWORK_RATE)));
  const vectors: Float32Array[] = [];
  for (let window = 0; window < count; window++) {
    signal.throwIfAborted();
    const [from, to] = [window, window + 1].map((each) => Math.round((each * samples.length) / count));
    const speech = samples.subarray(from, to);
    const gain = gainOf(speech);
    vectors.push(await network.vectorOf(speech.map((sample) => sample * gain)));
  }
  return unit(sumOf(vectors.map((values) => ({ values, weight: 1 }))));
}
