export { type ChunkPlacement, createJoiner, type Joiner, type JoinerOptions } from "./chunk-joiner.ts";
export {
  type AudioEncoder,
  createEncoder,
  MP3_BITRATES,
  MP3_SAMPLE_RATES,
  OPUS_BITRATES,
  OPUS_SAMPLE_RATE,
} from "./encode/index.ts";
export { createLoudness, type Loudness, type LoudnessOptions, TARGET_LUFS } from "./loudness.ts";
export { createResampler, type Resampler, SAMPLE_RATES } from "./resample.ts";
