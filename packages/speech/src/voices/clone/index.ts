export { CloneError } from "./clone-error.ts";
export {
  type ClonedRecording,
  type ClonedVoice,
  type CloneRequest,
  type Cloning,
  type CloningOptions,
  createCloning,
  type StoredRecording,
} from "./cloning.ts";
export type { AnalyzedRecording, ClonedSound } from "./make-voice.ts";
export type { RefinementOutcome, RefinementRequest } from "./refine/refine-voice.ts";
export type { RefinementSimilarity } from "./refine/refinement.ts";
export type { NetworkVector, SpeakerFeatures, WeightedFeatures } from "./speaker-features.ts";
